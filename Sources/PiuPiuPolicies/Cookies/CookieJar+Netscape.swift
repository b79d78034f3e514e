/// The `cookies.txt` of Netscape, which curl, wget, Python and browser extensions read and write.
extension CookieJar.Snapshot {
    /// The maximum size of a file, in bytes: more than a jar can have.
    static let maximumFile = 32 * 1024 * 1024

    /// Reads the text of a `cookies.txt`.
    ///
    /// A line is a cookie with seven fields, separated by tabs: domain, whether its subdomains get the cookie, path, whether it
    /// is `Secure`, its expiry in seconds since 1970 or 0, name and value. `#HttpOnly_` precedes a cookie that is `HttpOnly`;
    /// other lines that start with `#` are comments. No line is skipped: a line that cannot be understood is an error.
    ///
    /// - Parameter bytes: The text, in UTF-8.
    /// - Throws: ``CookieFileError`` with the number of the first invalid line.
    public init(netscape bytes: some Collection<UInt8>) throws(CookieFileError) {
        self.init()
        var number = 0
        var size = 0
        for line in Array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            size += line.count + 1
            guard size <= Self.maximumFile else { throw CookieFileError(.tooLarge, line: number) }
            var line = line.last == 0x0D ? line.dropLast() : line
            // Editors may write a byte order mark.
            if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            do throws(CookieFileError.Refusal) {
                if let cookie = try Self.cookie(line) { cookies.append(cookie) }
            } catch {
                throw CookieFileError(error.code, line: number)
            }
        }
    }

    /// Reads a `cookies.txt`.
    ///
    /// - Parameter file: The file.
    /// - Throws: ``CookieFileError`` for the content of the file, and ``TransferError`` if it cannot be read.
    public init(netscapeFile file: URL) throws {
        let (opened, length) = try OpenFile.reading(file)
        guard length <= Self.maximumFile else { throw CookieFileError(.tooLarge, line: 1) }
        try self.init(netscape: opened.read(at: 0, count: Int(length)))
    }

    /// The text of a `cookies.txt` with the cookies and their values, in their order.
    ///
    /// It leaves out cookies that no server could have set, and those with a tab in their name or path, which the format cannot
    /// represent. It does not keep `SameSite` and the times when a cookie was stored and used.
    public var netscape: String {
        var text = "# Netscape HTTP Cookie File\n# A line is a cookie: keep this file secret.\n\n"
        for cookie in cookies {
            guard let cookie = CookieRules.wellFormed(cookie), !(cookie.name + cookie.path).utf8.contains(0x09),
                let expiry = Self.expiry(cookie.expires)
            else { continue }
            if cookie.isHTTPOnly { text += Self.httpOnly }
            let fields = [
                (cookie.isHostOnly ? "" : ".") + cookie.domain, cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path,
                cookie.isSecure ? "TRUE" : "FALSE", expiry, cookie.name, cookie.value,
            ]
            text += fields.joined(separator: "\t") + "\n"
        }
        return text
    }

    /// Writes a `cookies.txt` that only the user of this process can read.
    ///
    /// An existing file is replaced when the new one is complete, and stays unchanged if an error occurs. A terminal or a pipe
    /// is written to directly.
    ///
    /// - Parameter file: The file.
    /// - Throws: ``TransferError`` if it cannot be written.
    public func write(netscapeFile file: URL) throws {
        let destination: URL
        switch try FileDestination(file) {
        case .file(let url): destination = url
        case .stream(let url): return try OpenFile.stream(Data(netscape.utf8), to: url)
        }
        let folder = destination.deletingLastPathComponent()
        let new = folder.appending(path: ".\(UUID().uuidString).cookies", directoryHint: .notDirectory)
        let opened = try OpenFile.creating(new, isPrivate: true)
        do {
            try opened.write(Data(netscape.utf8), at: 0)
            try opened.synchronize()
            try OpenFile.move(new, to: destination)
        } catch {
            OpenFile.remove(new)
            throw error
        }
    }

    private static let httpOnly = "#HttpOnly_"

    /// Returns a date as text; `nil` if it is so early that the text would mean a session cookie.
    private static func expiry(_ date: Date?) -> String? {
        guard let date else { return "0" }
        let seconds = date.timeIntervalSince1970.rounded(.up)
        // Later than any date that a jar keeps.
        guard seconds > 0, seconds < 1e15 else { return seconds > 0 ? "1000000000000000" : nil }
        return "\(Int64(seconds))"
    }

    /// Reads a line; `nil` if it is empty or a comment.
    private static func cookie(_ line: ArraySlice<UInt8>) throws(CookieFileError.Refusal) -> CookieJar.Cookie? {
        let isHTTPOnly = line.starts(with: httpOnly.utf8)
        let bytes = isHTTPOnly ? line.dropFirst(httpOnly.utf8.count) : line
        guard isHTTPOnly || line.first != 0x23, !SetCookie.trimmed(bytes).isEmpty else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw .init(code: .notUTF8) }
        // Split bytes, because a tab and a combining mark after it are one character.
        var fields = text.utf8.split(separator: 0x09, maxSplits: 6, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        // Some programs leave out an empty value and its tab.
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7 else { throw .init(code: .invalidFieldCount) }
        guard let includesHosts = flag(fields[1]), let isSecure = flag(fields[3]) else {
            throw .init(code: .invalidFlag)
        }
        guard let seconds = seconds(fields[4]) else { throw .init(code: .invalidExpiry) }
        let cookie = CookieJar.Cookie(
            name: fields[5],
            value: fields[6],
            domain: fields[0].utf8.first == 0x2E ? String(fields[0].dropFirst()) : fields[0],
            isHostOnly: !includesHosts,
            path: fields[2],
            expires: seconds == 0 ? nil : Date(timeIntervalSince1970: seconds),
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly
        )
        guard let cookie = CookieRules.wellFormed(cookie) else { throw .init(code: .invalidCookie) }
        return cookie
    }

    private static func flag(_ text: String) -> Bool? {
        if text.isEqualIgnoringASCIICase(to: "TRUE") { return true }
        return text.isEqualIgnoringASCIICase(to: "FALSE") ? false : nil
    }

    /// Reads a date; 0 for a session cookie.
    ///
    /// Some programs write a fraction, and Python writes nothing for 0.
    private static func seconds(_ text: String) -> Double? {
        let halves = text.utf8.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.joined().allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.count <= 32 else { return nil }
        guard !text.isEmpty else { return 0 }
        return Double(text)
    }
}

extension CookieFileError {
    /// The problem with a line whose number is unknown.
    fileprivate struct Refusal: Error {
        let code: Code
    }
}
