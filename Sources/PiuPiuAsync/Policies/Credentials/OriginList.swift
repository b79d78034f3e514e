import PiuPiuEngine

/// The origins that may receive a credential: scheme, host and port (RFC 6454 §4).
///
/// A URL is compared byte by byte with each origin, without creating a string, because this runs for each request. Only
/// the plain form of an origin matches: a URL with user information, an unusual spelling of an address or a character
/// that no host has is none of the listed origins.
struct OriginList: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        /// The scheme and the host, in lower case, such as `https://api.example.com`.
        let prefix: [UInt8]
        let defaultPort: Int
        let port: Int

        func matches(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
            guard url.count >= prefix.count else { return false }
            for index in prefix.indices where prefix[index] != url[index].asciiLowercased { return false }
            var end = prefix.count
            var port = defaultPort
            if end < url.count, url[end] == UInt8(ascii: ":") {
                end += 1
                let start = end
                var number = 0
                while end < url.count, (0x30...0x39).contains(url[end]), number <= 65535 {
                    number = number * 10 + Int(url[end] - 0x30)
                    end += 1
                }
                // RFC 3986 §3.2.3: an empty port is the default port.
                if end > start { port = number }
            }
            guard port == self.port else { return false }
            guard end < url.count else { return true }
            // Anything else, such as an `@` or a `.`, continues the authority, and the host is another one.
            return url[end] == UInt8(ascii: "/") || url[end] == UInt8(ascii: "?") || url[end] == UInt8(ascii: "#")
        }
    }

    private let entries: [Entry]

    /// Creates a list.
    ///
    /// - Parameter urls: A URL of each origin; paths, queries and user information are ignored.
    /// - Throws: ``AuthenticationError`` with the code `invalidOrigin`.
    init(_ urls: [URL]) throws(AuthenticationError) {
        var entries: [Entry] = []
        for url in urls {
            guard let target = try? RequestTarget(url.absoluteURL) else {
                throw AuthenticationError(.invalidOrigin, reason: "An origin is not an http or https URL with a host")
            }
            // The origin always ends with its port.
            let bytes = Array(target.origin.utf8)
            guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
                let port = Int(String(decoding: bytes[(colon + 1)...], as: UTF8.self))
            else { throw AuthenticationError(.invalidOrigin) }
            let defaultPort = target.isSecure ? 443 : 80
            let entry = Entry(prefix: Array(bytes[..<colon]), defaultPort: defaultPort, port: port)
            if !entries.contains(entry) { entries.append(entry) }
        }
        self.entries = entries
    }

    /// Returns whether a URL is of a listed origin.
    ///
    /// - Parameter url: The URL; `nil` is of no origin.
    /// - Returns: `true` if it is.
    func contains(_ url: URL?) -> Bool {
        guard let url else { return false }
        var text = url.absoluteString
        return text.withUTF8 { bytes in entries.contains { $0.matches(bytes) } }
    }

    /// The origins as text.
    var names: [String] {
        entries.map { "\(String(decoding: $0.prefix, as: UTF8.self)):\($0.port)" }
    }
}
