/// The first line of a response (RFC 9112 §4).
package enum StatusLine {
    /// Returns the code of a status line (RFC 9112 §4).
    ///
    /// - Parameter head: The head, which begins with the line.
    /// - Returns: The code; `nil` if the line or its version is invalid.
    package static func code(of head: [UInt8]) -> Int? {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let line = head.prefix { $0 != 0x0A }
        guard line.starts(with: "HTTP/".utf8) else { return nil }
        // A digit, a point and a digit (RFC 9112 §2.3); libcurl writes "HTTP/2" and "HTTP/3".
        let version = line.dropFirst(5).prefix { !$0.isHTTPWhitespace }
        guard version.count == 1 || version.count == 3 && version.dropFirst().first == 0x2E,
            let major = version.first, let minor = version.last, isDigit(major), isDigit(minor)
        else { return nil }
        let rest = line.dropFirst(5 + version.count).drop { $0.isHTTPWhitespace }
        let digits = rest.prefix(while: isDigit)
        // A space follows (RFC 9112 §4), which many servers leave out if there is no reason.
        let next = rest.dropFirst(digits.count).first
        guard digits.count == 3, next == nil || next?.isHTTPWhitespace == true || next == 0x0D else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
