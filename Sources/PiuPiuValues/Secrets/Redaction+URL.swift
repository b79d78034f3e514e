extension Redaction {
    /// Returns a URL without its user name and password.
    package func url(_ url: URL) -> URL {
        guard url.user != nil || url.password != nil || url.absoluteString.contains("@") else { return url }
        let text = Self.withoutUserInformation(url.absoluteString)
        // If the URL cannot be rebuilt, hide it entirely rather than show its secret.
        return URL(string: text) ?? URL(string: "about:blank") ?? URL(fileURLWithPath: "/")
    }

    /// Returns a URL as text, without its user name and password; `(no URL)` if there is no URL.
    package func text(of url: URL?) -> String {
        url.map { Self.withoutUserInformation($0.absoluteString) } ?? "(no URL)"
    }

    /// Returns a URL for a description: without user information, query and fragment, which often contain secrets.
    ///
    /// The text is `(no URL)` if there is no URL.
    package func location(of url: URL?) -> String {
        // Compare scalars, because a combining mark forms one character with a question mark before it.
        String(text(of: url).unicodeScalars.prefix { $0 != "?" && $0 != "#" })
    }

    /// Removes everything up to the last `@` from a URL's authority (RFC 3986 §3.2).
    ///
    /// Text in the place of an authority counts as one: `http:/user:password@host` is not a valid server URL, but still
    /// contains a password.
    package static func withoutUserInformation(_ url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: "@")) else { return url }
        let start = authorityStart(of: url)
        var result = Array(url.utf8[..<start])
        var copy = url
        copy.withUTF8 { bytes in
            let end = appendAuthority(of: bytes, from: result.count, to: &result) { "/\\?#".utf8.contains($0) }
            result += bytes[end...]
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func authorityStart(of url: String) -> String.Index {
        // Compare bytes, because a combining mark forms one character with a slash before it.
        let bytes = url.utf8
        let scheme = bytes.prefix { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
        let hasScheme = bytes[scheme.endIndex...].first == UInt8(ascii: ":") && scheme.first.map(isLetter) == true
        let rest = hasScheme ? bytes[scheme.endIndex...].dropFirst() : bytes[...]
        let slashes = rest.prefix(while: isSlash)
        if hasScheme {
            let scheme = String(Substring(scheme)).lowercased()
            if webSchemes.contains(scheme) { return slashes.endIndex }
            if scheme == "file", slashes.count < 2 { return url.endIndex }
            // With no slashes and an unknown scheme, the text is a user name: "user:password@host".
            return slashes.isEmpty ? url.startIndex : bytes.index(rest.startIndex, offsetBy: min(2, slashes.count))
        }
        // A path that starts with a single slash has no authority.
        return slashes.count == 1 ? slashes.startIndex : slashes.endIndex
    }

    private static let webSchemes: Set<String> = ["http", "https", "ws", "wss", "ftp"]

    /// Removes user information from every URL in a text, such as the values of `Link` and `Refresh`.
    package static func withoutUserInformation(inText text: String) -> String {
        var copy = text
        let shown = copy.withUTF8 { bytes in
            UnsafeRawBufferPointer(bytes).firstOffset(of: UInt8(ascii: "@")) == nil
                ? nil : withoutUserInformation(in: bytes)
        }
        return shown.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Removes user information from every URL in a text.
    static func withoutUserInformation(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        // The start of the bytes that are not copied yet.
        var copied = 0
        var position = 0
        while position < bytes.count {
            guard let start = authorityStart(in: bytes, at: position) else {
                // Only a byte after one of these can start the next authority.
                while position < bytes.count, !precedesAuthority(bytes[position]) { position += 1 }
                position += 1
                continue
            }
            result += bytes[copied..<start]
            let end = appendAuthority(of: bytes, from: start, to: &result, endedBy: endsAuthority)
            copied = end
            // If the authority is empty and no slash precedes it, continue after the byte that ends it.
            position = end == position ? position + 1 : end
        }
        result += bytes[min(copied, bytes.count)...]
        return result
    }

    /// An authority follows a scheme or starts a reference; anything else is part of a path.
    private static func precedesAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"")
    }

    /// Appends an authority without its user information, and returns its end.
    private static func appendAuthority(
        of bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to result: inout [UInt8],
        endedBy endsAuthority: (UInt8) -> Bool
    ) -> Int {
        var start = start
        while true {
            let end = bytes[start...].firstIndex(where: endsAuthority) ?? bytes.count
            let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
            let host = bytes[(at.map { $0 + 1 } ?? start)..<end]
            result += host
            // If no host follows, other text takes its place, as in "http:user@/user:password@host".
            guard at != nil, host.isEmpty || host.first == UInt8(ascii: ":") else { return end }
            let next = bytes[end...].firstIndex { !isSlash($0) } ?? bytes.count
            guard next > end else { return end }
            result += bytes[end..<next]
            start = next
        }
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    /// Returns the start of the authority, if its leading slashes or its scheme's colon are at a position.
    private static func authorityStart(in bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        let before = position == 0 ? nil : bytes[position - 1]
        guard before.map(precedesAuthority) ?? true else { return nil }
        // Most colons don't end a scheme.
        if position > 1, before == UInt8(ascii: ":"), position < bytes.count, !isSlash(bytes[position]),
            ![UInt8(ascii: "p"), UInt8(ascii: "s")].contains(bytes[position - 2].asciiLowercased)
        {
            return nil
        }
        let slashes = bytes[position...].prefix(while: isSlash)
        if before == UInt8(ascii: ":") {
            // All schemes are short, so look back only a few letters.
            var first = position - 1
            while first > 0, position - first < 8, isLetter(bytes[first - 1]) { first -= 1 }
            if isWebScheme(bytes[first..<(position - 1)]) { return slashes.endIndex }
        }
        return slashes.count >= 2 ? position + 2 : nil
    }

    private static func isWebScheme(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // Avoids a string for each colon of a text.
        guard 2...5 ~= bytes.count, let last = bytes.last else { return false }
        guard [UInt8(ascii: "p"), UInt8(ascii: "s")].contains(last.asciiLowercased) else { return false }
        return webSchemes.contains(String(decoding: bytes, as: UTF8.self).lowercased())
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: " "):
            true
        default: false
        }
    }
}

extension Redaction {
    /// Returns a library's error message with secrets removed.
    ///
    /// libcurl quotes a proxy that it cannot use, including the password, and may truncate the text anywhere; nghttp2 quotes
    /// the value of a field. Foundation on Linux passes both messages on.
    package static func message(_ text: String) -> String {
        // A mark forms one character with a delimiter before it, which the search would miss.
        let plain = String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" })
        var text = ["value: [", "roxy"].contains { plain.contains($0) } ? plain : text
        if let quote = text.range(of: "value: [") { text = text[..<quote.upperBound] + placeholder + "]" }
        if text.contains("roxy") {
            // A password may contain quotes and spaces, so its end is unknown.
            let isRefused = text.contains("nsupported") || text.contains("not supported")
            let marks = ["'", "\""] + (isRefused ? [" for ", " in "] : [])
            if let quote = marks.compactMap({ text.range(of: $0)?.upperBound }).min() {
                text = text[..<quote] + placeholder
            }
            text = text.split(separator: " ", omittingEmptySubsequences: false)
                .map { word in word.lastIndex(of: "@").map { word[word.index(after: $0)...] } ?? word }
                .joined(separator: " ")
        }
        return withoutUserInformation(inText: text)
    }
}
