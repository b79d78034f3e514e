extension ProxyServer {
    /// Creates a proxy from a text in curl's format, such as `http://user:password@proxy.example:3128`.
    ///
    /// The schemes are `http`, `https`, `socks4` (or `socks`), `socks4a`, `socks5` and `socks5h`; a text without one means
    /// `http`. User name and password are percent-encoded. An IPv6 address is in brackets. A path other than `/`, a
    /// query, and a fragment are refused, because they would have no effect.
    ///
    /// Unlike in curl, `socks5` leaves name resolution to the proxy, like `socks5h`. Otherwise, this machine's name servers
    /// would learn the names.
    ///
    /// - Parameters:
    ///   - text: The text, in ASCII.
    ///   - resolvesNamesLocally: Whether `socks5` means that this machine resolves names, as in curl; `false` by default.
    /// - Throws: ``ProxyServerError``, which quotes no part of the text.
    public init(_ text: String, resolvesNamesLocally: Bool = false) throws(ProxyServerError) {
        guard text.utf8.count <= Self.maximumText, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ProxyServerError(.invalidText)
        }
        var rest = text[...]
        var kind = Kind.http
        if let separator = text.firstRange(of: "://") {
            kind = try Self.kind(text[..<separator.lowerBound], resolvesNamesLocally)
            rest = text[separator.upperBound...]
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest[authority.endIndex...]
        guard path.isEmpty || path == "/" else { throw ProxyServerError(.invalidText) }
        var user: String?
        var password = ""
        var location = authority
        if let at = authority.lastIndex(of: "@") {
            (user, password) = try Self.credentials(authority[..<at])
            location = authority[authority.index(after: at)...]
        }
        let (host, port) = try Self.hostAndPort(location)
        try self.init(kind, host: String(host), port: port, user: user, password: password)
    }

    /// Creates a proxy from a URL, such as `http://user:password@proxy.example:3128`.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - resolvesNamesLocally: Whether `socks5` means that this machine resolves names, as in curl; `false` by default.
    /// - Throws: ``ProxyServerError``, which quotes no part of the URL.
    public init(_ url: URL, resolvesNamesLocally: Bool = false) throws(ProxyServerError) {
        try self.init(url.absoluteString, resolvesNamesLocally: resolvesNamesLocally)
    }

    /// The maximum length of the text, in bytes.
    private static let maximumText = 64 << 10

    private static func kind(_ scheme: Substring, _ resolvesNamesLocally: Bool) throws(ProxyServerError) -> Kind {
        switch scheme.lowercased() {
        case "http": .http
        case "https": .https
        case "socks", "socks4": .socks4
        case "socks4a": .socks4a
        case "socks5": resolvesNamesLocally ? .socks5 : .socks5h
        case "socks5h": .socks5h
        default: throw ProxyServerError(.unsupportedScheme)
        }
    }

    private static func credentials(_ text: Substring) throws(ProxyServerError) -> (String?, String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = parts[0].removingPercentEncoding else { throw ProxyServerError(.invalidUser) }
        guard let password = parts.count > 1 ? parts[1].removingPercentEncoding : "" else {
            throw ProxyServerError(.invalidPassword)
        }
        // "@proxy" and ":@proxy" contain no user.
        return user.isEmpty && password.isEmpty ? (nil, "") : (user, password)
    }

    private static func hostAndPort(_ text: Substring) throws(ProxyServerError) -> (Substring, Int?) {
        let host: Substring
        if text.first == "[" {
            guard let bracket = text.firstIndex(of: "]") else { throw ProxyServerError(.invalidHost) }
            host = text[...bracket]
        } else {
            host = text.prefix { $0 != ":" }
        }
        let rest = text[host.endIndex...]
        guard let colon = rest.first else { return (host, nil) }
        let digits = rest.dropFirst()
        guard colon == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.utf8.count <= 5 else {
            throw ProxyServerError(.invalidPort)
        }
        // An empty port counts as absent (RFC 3986 §3.2.3).
        return (host, digits.isEmpty ? nil : Int(digits))
    }
}
