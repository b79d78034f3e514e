/// The parts of a URL that are sent or decide where to send, taken apart by rules stricter than any parser's.
///
/// Two parsers that disagree about where the host ends are how requests reach servers they were not meant for, so the
/// authority may only hold characters on which nobody disagrees (RFC 3986 §3.2, without percent-encoding).
struct RequestTarget: Sendable {
    /// Why a URL was refused.
    enum Refusal: Error {
        case scheme
        case invalid(String)
    }

    /// `http` or `https`.
    let isSecure: Bool
    /// Scheme, host and port, in lower case and with the port always written: requests to equal origins share
    /// connections and secrets.
    let origin: String
    /// The URL without user information and fragment, as it is handed to the transport.
    let url: String
    /// The URL's user information, still percent-encoded.
    let userInformation: Substring?

    /// Takes a URL apart.
    ///
    /// - Parameter url: The URL.
    /// - Throws: ``Refusal``.
    init(_ url: URL) throws(Refusal) {
        let text = url.absoluteString
        let utf8 = text.utf8
        for byte in utf8 where !(0x21...0x7E).contains(byte) {
            throw .invalid("it holds a space, a control character or a character that is not ASCII")
        }
        guard let colon = utf8.firstIndex(of: 0x3A) else { throw .scheme }
        let scheme = text[..<colon]
        if scheme.utf8.elementsEqual("https".utf8, by: { $0.asciiLowercased == $1 }) {
            isSecure = true
        } else if scheme.utf8.elementsEqual("http".utf8, by: { $0.asciiLowercased == $1 }) {
            isSecure = false
        } else {
            throw .scheme
        }
        let afterColon = utf8[colon...].dropFirst()
        guard afterColon.starts(with: "//".utf8) else { throw .invalid("it has no host") }
        let authorityStart = afterColon.index(afterColon.startIndex, offsetBy: 2)
        let authorityEnd =
            utf8[authorityStart...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? utf8.endIndex
        let fragmentStart = utf8[authorityEnd...].firstIndex(of: 0x23) ?? utf8.endIndex

        var hostStart = authorityStart
        if let at = utf8[authorityStart..<authorityEnd].lastIndex(of: 0x40) {
            userInformation = text[authorityStart..<at]
            hostStart = utf8.index(after: at)
        } else {
            userInformation = nil
        }
        origin = try Self.origin(isSecure: isSecure, authority: text[hostStart..<authorityEnd])
        if hostStart == authorityStart, fragmentStart == utf8.endIndex {
            self.url = text
        } else {
            self.url = String(text[..<authorityStart] + text[hostStart..<fragmentStart])
        }
    }

    private static func origin(isSecure: Bool, authority: Substring) throws(Refusal) -> String {
        let bytes = authority.utf8
        var hostEnd = bytes.endIndex
        if bytes.first == 0x5B {
            // An IPv6 literal (RFC 3986 §3.2.2), with a zone perhaps (RFC 6874).
            guard let bracket = bytes.firstIndex(of: 0x5D) else { throw .invalid("its IPv6 address is not closed") }
            hostEnd = bytes.index(after: bracket)
            let literal = bytes[..<bracket].dropFirst()
            let address = literal.prefix { $0 != 0x25 }
            let zone = literal[address.endIndex...]
            guard !address.isEmpty, zone.isEmpty || zone.starts(with: "%25".utf8), zone.count != 3 else {
                throw .invalid("its IPv6 address is not one")
            }
            for byte in address {
                switch byte {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66, 0x3A, 0x2E: continue
                default: throw .invalid("its IPv6 address is not one")
                }
            }
            for byte in zone.dropFirst(3) {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: continue
                default: throw .invalid("its IPv6 address is not one")
                }
            }
        } else {
            if let colon = bytes.firstIndex(of: 0x3A) { hostEnd = colon }
            for byte in bytes[..<hostEnd] {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: continue
                default: throw .invalid("its host holds a character that hosts have not")
                }
            }
        }
        guard hostEnd != bytes.startIndex else { throw .invalid("it has no host") }
        var port = isSecure ? 443 : 80
        let rest = bytes[hostEnd...]
        if !rest.isEmpty {
            guard rest.first == 0x3A else { throw .invalid("its port is not a number from 1 to 65535") }
            let digits = rest.dropFirst()
            if !digits.isEmpty {
                guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(Substring(digits)),
                    (1...65535).contains(number)
                else { throw .invalid("its port is not a number from 1 to 65535") }
                port = number
            }
        }
        let host = Substring(bytes[..<hostEnd])
        let lowercasedHost = host.utf8.contains { (0x41...0x5A).contains($0) } ? host.lowercased() : String(host)
        return (isSecure ? "https://" : "http://") + lowercasedHost + ":" + String(port)
    }
}
