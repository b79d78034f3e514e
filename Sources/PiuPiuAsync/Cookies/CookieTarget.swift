import PiuPiuEngine

/// What cookies depend on in a URL: the host, the path, and whether it is as good as TLS.
struct CookieTarget: Sendable, Hashable {
    /// The host in lower case; an address in its usual spelling, one of IPv6 in brackets.
    let host: String
    /// Whether the host is an address, of which no domain is a part.
    let isAddress: Bool
    /// Whether cookies that are `Secure` are sent there: `https`, and hosts that lead to this machine.
    let isSecure: Bool
    /// The path as it is sent, at least `/`.
    let path: String

    /// Creates a target; `nil` if the URL is not one of `http` or `https`, or not valid.
    init?(_ url: URL?) {
        guard let url, let target = try? RequestTarget(url) else { return nil }
        var origin = target.origin
        let host: (text: String, isName: Bool) = origin.withUTF8 { bytes in
            let start = target.isSecure ? 8 : 7
            var end = bytes.count
            while end > start, bytes[end - 1] != 0x3A { end -= 1 }
            let host = bytes[start..<max(start, end - 1)]
            // Names that cannot be an address, which are nearly all, need no further look.
            let last = host.last.map { ($0 | 0x20) >= 0x67 && ($0 | 0x20) <= 0x7A } ?? false
            return (String(decoding: host, as: UTF8.self), last)
        }
        if host.isName {
            self.host = host.text
            isAddress = false
        } else {
            (self.host, isAddress) = Self.canonical(host.text)
        }
        isSecure = target.isSecure || Self.isLoopback(self.host)
        var text = target.url
        path = text.withUTF8 { bytes in
            let start = target.isSecure ? 8 : 7
            let end = bytes[start...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.count
            guard let slash = bytes[start..<end].firstIndex(of: 0x2F) else { return "/" }
            return String(decoding: bytes[slash..<end], as: UTF8.self)
        }
    }

    /// Returns a host as it is compared: an address in its usual spelling, a name as it is.
    ///
    /// - Parameter host: The host in lower case.
    /// - Returns: The host, and whether it is an address.
    static func canonical(_ host: String) -> (host: String, isAddress: Bool) {
        let usual = RequestTarget.usualHost(host[...])
        guard usual.hasPrefix("[") || IPAddress(usual) != nil else { return (host, false) }
        return (usual, true)
    }

    /// Whether a host leads to this machine, which browsers trust as much as TLS (RFC 6761 §6.3).
    static func isLoopback(_ host: String) -> Bool {
        guard let last = host.utf8.last else { return false }
        switch last {
        case UInt8(ascii: "t"): return host == "localhost" || host.hasSuffix(".localhost")
        case UInt8(ascii: "]"): return host == "[::1]"
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return host.hasPrefix("127.") && IPAddress(host) != nil
        default: return false
        }
    }

    /// The path of a cookie that has none of its own (RFC 6265bis §5.1.4).
    var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: 0x2F), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a host is a domain or belongs to it (RFC 6265bis §5.1.3).
    static func domain(_ domain: String, contains host: String, isAddress: Bool) -> Bool {
        if domain == host { return true }
        let (whole, part) = (host.utf8, domain.utf8)
        guard !isAddress, !part.isEmpty, whole.count > part.count + 1 else { return false }
        return whole.dropLast(part.count).last == 0x2E && whole.suffix(part.count).elementsEqual(part)
    }

    /// Whether a path is another one or below it (RFC 6265bis §5.1.4).
    @inline(__always)
    static func path(_ cookie: String, contains path: String) -> Bool {
        let (part, whole) = (cookie.utf8, path.utf8)
        // The most frequent one, which every path begins with.
        if part.count == 1 { return true }
        guard whole.starts(with: part) else { return false }
        return part.last == 0x2F || whole.count == part.count
            || whole[whole.index(whole.startIndex, offsetBy: part.count)] == 0x2F
    }
}

extension CookieTarget: Redacted {
    /// The host, without the path.
    package var shown: KeyValuePairs<String, Any> { ["host": host, "isSecure": isSecure] }
}
