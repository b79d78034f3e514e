/// The parts of a URL that are sent or determine the destination, parsed by stricter rules than those of general parsers.
///
/// If two parsers disagree about where the host ends, a request can reach the wrong server. The authority may therefore
/// contain only characters that every parser treats alike (RFC 3986 §3.2, without percent-encoding).
package struct RequestTarget: Sendable {
    /// The reason why a URL was refused.
    package enum Refusal: Error {
        case scheme
        case invalid(String)
    }

    /// The maximum length of a host, in bytes.
    ///
    /// No resolver accepts a longer name (`NI_MAXHOST`). The limit matters because policies and observers keep origins, which a
    /// server can choose through redirects.
    package static let maximumHost = 1024

    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// The scheme, host and port, in lower case and always with the port.
    ///
    /// Requests to equal origins share connections and secrets.
    package let origin: String
    /// The URL without user information and fragment, as passed to the transport.
    package let url: String
    /// The URL's user information, still percent-encoded.
    package let userInformation: Substring?

    /// Parses a URL.
    package init(_ url: URL) throws(Refusal) {
        var text = url.absoluteString
        let parts = try text.withUTF8 { bytes in
            do throws(Refusal) {
                return Result<Parts, Refusal>.success(try Parts(bytes))
            } catch {
                return .failure(error)
            }
        }.get()
        isSecure = parts.isSecure
        origin = parts.origin
        userInformation = parts.userInformation
        self.url = parts.shortenedURL ?? text
    }
}

extension RequestTarget: Redacted {
    /// The origin, without path and user information.
    package var shown: KeyValuePairs<String, Any> { ["origin": origin] }
}

/// The parts of a URL, parsed in one pass over its bytes, because this runs for each request.
private struct Parts {
    typealias Refusal = RequestTarget.Refusal

    var isSecure: Bool
    var origin: String
    /// The URL without user information and fragment; `nil` if it has neither.
    var shortenedURL: String?
    var userInformation: Substring?

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        for byte in bytes where byte < 0x21 || byte > 0x7E {
            throw .invalid("it contains a space, a control character or a non-ASCII character")
        }
        guard let colon = bytes.firstIndex(of: 0x3A) else { throw .scheme }
        let scheme = bytes[..<colon]
        if scheme.elementsEqual("http".utf8, by: { $0.asciiLowercased == $1 }) {
            isSecure = false
        } else if scheme.elementsEqual("https".utf8, by: { $0.asciiLowercased == $1 }) {
            isSecure = true
        } else {
            throw .scheme
        }
        let authorityStart = colon + 3
        guard authorityStart <= bytes.count, bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F else {
            throw .invalid("it has no host")
        }
        let authorityEnd =
            bytes[authorityStart...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.count
        let fragmentStart = bytes[authorityEnd...].firstIndex(of: 0x23) ?? bytes.count

        var hostStart = authorityStart
        if let at = bytes[authorityStart..<authorityEnd].lastIndex(of: 0x40) {
            userInformation = Substring(String(decoding: bytes[authorityStart..<at], as: UTF8.self))
            hostStart = at + 1
        }
        origin = try Self.origin(isSecure: isSecure, authority: bytes[hostStart..<authorityEnd])
        if hostStart != authorityStart || fragmentStart != bytes.count {
            shortenedURL =
                String(decoding: bytes[..<authorityStart], as: UTF8.self)
                + String(decoding: bytes[hostStart..<fragmentStart], as: UTF8.self)
        }
    }

    private static func origin(
        isSecure: Bool,
        authority: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(Refusal) -> String {
        let hostEnd = try endOfHost(authority)
        guard hostEnd != authority.startIndex else { throw .invalid("it has no host") }
        guard hostEnd - authority.startIndex <= RequestTarget.maximumHost else {
            throw .invalid("its host is longer than \(RequestTarget.maximumHost) bytes")
        }
        let port = try port(authority[hostEnd...]) ?? (isSecure ? 443 : 80)
        let host = authority[..<hostEnd]
        let scheme: StaticString = isSecure ? "https://" : "http://"
        // The size includes a colon and five digits.
        return String(unsafeUninitializedCapacity: scheme.utf8CodeUnitCount + host.count + 6) { buffer in
            var count = 0
            func append(_ byte: UInt8) {
                buffer[count] = byte
                count += 1
            }
            scheme.withUTF8Buffer { $0.forEach(append) }
            for byte in host { append(byte.asciiLowercased) }
            append(0x3A)
            String(port).utf8.forEach(append)
            return count
        }
    }

    /// Finds the end of the host, which may contain only characters that all parsers agree on.
    private static func endOfHost(_ authority: Slice<UnsafeBufferPointer<UInt8>>) throws(Refusal) -> Int {
        guard authority.first == 0x5B else {
            let host = authority.prefix { $0 != 0x3A }
            for byte in host {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: continue
                default: throw .invalid("its host contains a character that host names cannot have")
                }
            }
            return host.endIndex
        }
        // An IPv6 literal (RFC 3986 §3.2.2), optionally with a zone (RFC 6874).
        guard let bracket = authority.firstIndex(of: 0x5D) else { throw .invalid("its IPv6 address is not closed") }
        let literal = authority[..<bracket].dropFirst()
        let address = literal.prefix { $0 != 0x25 }
        let zone = literal[address.endIndex...]
        guard !address.isEmpty, zone.isEmpty || zone.starts(with: "%25".utf8), zone.count != 3 else {
            throw .invalid("its IPv6 address is invalid")
        }
        // A proxy may read text that is not an address, such as `[:]`, as a name.
        guard IPAddress(String(decoding: address, as: UTF8.self))?.isIPv4 == false else {
            throw .invalid("its IPv6 address is invalid")
        }
        for byte in zone.dropFirst(3) {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: continue
            default: throw .invalid("its IPv6 address is invalid")
            }
        }
        return bracket + 1
    }

    /// The port after a host; `nil` if there is none (RFC 3986 §3.2.3).
    private static func port(_ rest: Slice<UnsafeBufferPointer<UInt8>>) throws(Refusal) -> Int? {
        guard let first = rest.first else { return nil }
        guard first == 0x3A else { throw .invalid("its port is not a number from 1 to 65535") }
        var port = 0
        let digits = rest.dropFirst()
        guard !digits.isEmpty else { return nil }
        for byte in digits {
            guard (0x30...0x39).contains(byte), port <= 65535 else {
                throw .invalid("its port is not a number from 1 to 65535")
            }
            port = port * 10 + Int(byte - 0x30)
        }
        guard (1...65535).contains(port) else { throw .invalid("its port is not a number from 1 to 65535") }
        return port
    }
}
