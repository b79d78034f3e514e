/// The parts of a URL that are relevant to cookies: the host, the path, and whether it is as secure as TLS.
struct CookieTarget: Sendable, Hashable {
    /// The host in lower case; an address is normalized, and an IPv6 address is in brackets.
    let host: String
    /// Whether the host is an address, which belongs to no domain.
    let isAddress: Bool
    /// Whether the target gets `Secure` cookies: `https`, and loopback hosts.
    let isSecure: Bool
    /// The path as it is sent, at least `/`.
    let path: String

    /// Creates a target; `nil` if the URL is neither `http` nor `https`, or not valid.
    init?(_ url: URL?) {
        guard let url else { return nil }
        var text = url.absoluteString
        if let plain = text.withUTF8({ Self.plain($0) }) {
            self = plain
            return
        }
        guard let target = try? RequestTarget(url) else { return nil }
        let start = target.isSecure ? 8 : 7
        let origin = target.origin.utf8
        let end = origin.lastIndex(of: 0x3A) ?? origin.endIndex
        (host, isAddress) = Self.canonical(String(decoding: origin[..<end].dropFirst(start), as: UTF8.self))
        // No name starts with a dot, which would mean a domain.
        guard !host.hasPrefix(".") else { return nil }
        isSecure = target.isSecure || Self.isLoopback(host)
        let rest = target.url.utf8.dropFirst(start).prefix { $0 != 0x3F && $0 != 0x23 }
        path = rest.firstIndex(of: 0x2F).map { String(decoding: rest[$0...], as: UTF8.self) } ?? "/"
    }

    private init(host: String, isSecure: Bool, path: String) {
        self.host = host
        isAddress = false
        self.isSecure = isSecure
        self.path = path
    }

    /// Reads the usual form of a URL in one pass, because this runs for each request: a name in lower case, without port and
    /// user information.
    private static func plain(_ url: UnsafeBufferPointer<UInt8>) -> CookieTarget? {
        let isSecure = url.starts(with: "https://".utf8)
        guard isSecure || url.starts(with: "http://".utf8) else { return nil }
        let start = isSecure ? 8 : 7
        var end = start
        while end < url.count, url[end] != 0x2F {
            switch url[end] {
            case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E: end += 1
            default: return nil
            }
        }
        // The last part of an address starts with a digit.
        var last = end
        while last > start, url[last - 1] != 0x2E { last -= 1 }
        guard last < end, url[start] != 0x2E, !(0x30...0x39 ~= url[last]), end - start <= RequestTarget.maximumHost
        else { return nil }
        var pathEnd = end
        while pathEnd < url.count, url[pathEnd] != 0x3F, url[pathEnd] != 0x23 {
            guard 0x21...0x7E ~= url[pathEnd] else { return nil }
            pathEnd += 1
        }
        guard url[pathEnd...].allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let host = String(decoding: url[start..<end], as: UTF8.self)
        return CookieTarget(
            host: host,
            isSecure: isSecure || isLoopback(host),
            path: pathEnd > end ? String(decoding: url[end..<pathEnd], as: UTF8.self) : "/"
        )
    }

    /// Returns a host in lower case in the form in which hosts are compared, with addresses normalized, and whether it is an
    /// address.
    static func canonical(_ host: String) -> (host: String, isAddress: Bool) {
        let usual = RequestTarget.usualHost(host[...])
        guard usual.hasPrefix("[") || IPAddress(usual) != nil else { return (host, false) }
        return (usual, true)
    }

    /// Whether a host is a loopback host, which browsers trust as much as TLS (RFC 6761 §6.3).
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

    /// The path of a cookie without a path (RFC 6265bis §5.1.4).
    var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: 0x2F), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a host equals a domain or belongs to it (RFC 6265bis §5.1.3).
    static func domain(_ domain: String, contains host: String, isAddress: Bool) -> Bool {
        if domain == host { return true }
        let (whole, part) = (host.utf8, domain.utf8)
        guard !isAddress, !part.isEmpty, whole.count > part.count + 1 else { return false }
        return whole.dropLast(part.count).last == 0x2E && whole.suffix(part.count).elementsEqual(part)
    }

    /// Whether a path equals another one or is below it (RFC 6265bis §5.1.4).
    @inline(__always)
    static func path(_ cookie: String, contains path: String) -> Bool {
        let (part, whole) = (cookie.utf8, path.utf8)
        // The most frequent path, `/`, which is a prefix of all paths.
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
