import PiuPiuAsync

/// The cookies that the arguments ask for, as with curl.
enum CookiePlan {
    /// Makes the jar.
    ///
    /// - Parameter arguments: What the user asks for.
    /// - Returns: The jar with the cookies of all files that `--cookie` names; `nil` if none is read or written.
    /// - Throws: ``FetchError`` if a file cannot be read.
    static func jar(_ arguments: Arguments) throws(FetchError) -> CookieJar? {
        let files = arguments.cookies.filter { !$0.contains("=") }
        guard arguments.cookieJar != nil || !files.isEmpty else { return nil }
        let jar = CookieJar()
        for path in files {
            do {
                jar.add(try CookieJar.Snapshot(netscapeFile: url(path)))
            } catch {
                throw FetchError(.notRead, "The cookies in \(SafeText.line(path)) cannot be read: \(error)")
            }
        }
        return jar
    }

    /// Writes the cookies.
    ///
    /// - Parameters:
    ///   - jar: The cookies.
    ///   - path: The file that `--cookie-jar` names; `-` is standard output.
    /// - Throws: ``FetchError`` if they cannot be written.
    static func save(_ jar: CookieJar, to path: String) throws(FetchError) {
        do {
            try jar.snapshot.write(netscapeFile: url(path == "-" ? "/dev/stdout" : path))
        } catch {
            throw FetchError(.notWritten, "The cookies cannot be written to \(SafeText.line(path)): \(error)")
        }
    }

    private static func url(_ path: String) -> URL { URL(filePath: path, directoryHint: .notDirectory).absoluteURL }
}
