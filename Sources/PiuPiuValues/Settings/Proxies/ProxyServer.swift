/// A proxy through which a transport opens connections, including the data that only the proxy receives.
///
/// ```swift
/// let proxy = try ProxyServer("http://user:password@proxy.example:3128")
/// ```
///
/// User name, password and ``connectHeaders`` go to the proxy only. A connection opened with one user name is never used for
/// another one.
public struct ProxyServer: Sendable, Hashable {
    /// The protocol that a proxy speaks.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// HTTP (RFC 9110 §3.7): requests to `http` URLs go to the proxy itself, requests to `https` URLs through a tunnel
        /// (RFC 9110 §9.3.6).
        case http
        /// Like ``http``, but over TLS to the proxy.
        case https
        /// SOCKS 4; this machine resolves server names to IPv4 addresses.
        case socks4
        /// SOCKS 4a; the proxy resolves the names.
        case socks4a
        /// SOCKS 5 (RFC 1928); this machine resolves the names, so its name servers learn them.
        case socks5
        /// SOCKS 5; the proxy resolves the names, so this machine's name servers don't learn them.
        case socks5h
    }

    /// The protocol.
    public let kind: Kind
    /// The host name or address, in lower case and without brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// The header fields of the `CONNECT` requests that open tunnels; requests to servers do not contain them.
    public let connectHeaders: HTTPHeaderFields
    /// A PEM file with the authorities to trust for the proxy itself, if its kind is `https`.
    ///
    /// `nil`, the default, means the authorities of ``TransportConfiguration/tls``.
    public let authorityFile: URL?

    /// The user name; `nil` for no credentials.
    package let user: String?
    package let password: String
    /// The field with the credentials for an HTTP proxy; empty for none.
    package let authorization: FieldList
    package let connectFields: FieldList

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - kind: The protocol.
    ///   - host: The host name or IP address, an IPv6 address with or without brackets.
    ///   - port: The port; `nil` means curl's default, 443 for `https` and 1080 for all others.
    ///   - user: The user name; `nil` for no credentials. An HTTP proxy gets it with the first request, as
    ///     `Proxy-Authorization: Basic` (RFC 7617), so it must not contain a colon. A SOCKS proxy gets at most 255 bytes (RFC
    ///     1929).
    ///   - password: The password; SOCKS 4 has none.
    ///   - connectHeaders: Header fields for the `CONNECT` requests of an HTTP proxy.
    ///   - authorityFile: A PEM file with the authorities to trust for the proxy itself.
    /// - Throws: ``ProxyServerError``, which quotes no argument.
    public init(
        _ kind: Kind,
        host: String,
        port: Int? = nil,
        user: String? = nil,
        password: String = "",
        connectHeaders: HTTPHeaderFields = [:],
        authorityFile: URL? = nil
    ) throws(ProxyServerError) {
        self.kind = kind
        self.host = try Self.validatedHost(host)
        let port = port ?? kind.defaultPort
        guard (1...65535).contains(port) else { throw ProxyServerError(.invalidPort) }
        self.port = port
        try Self.checkCredentials(user, password, for: kind)
        self.user = user
        self.password = password
        authorization = try Self.authorization(user, password, for: kind)
        self.connectHeaders = connectHeaders
        connectFields = try Self.fields(of: connectHeaders, for: kind)
        guard authorityFile == nil || kind == .https else { throw ProxyServerError(.invalidAuthorityFile) }
        self.authorityFile = authorityFile
    }

    /// Whether the proxy speaks HTTP.
    package var isHTTP: Bool { kind == .http || kind == .https }

    /// Whether this machine resolves the names of servers.
    package var needsAddresses: Bool { kind == .socks4 || kind == .socks5 }

    /// The host for which the certificate of a proxy with TLS must be valid.
    package var certifiedHost: String {
        let target = URL(string: "https://\(location)").flatMap { try? RequestTarget($0) }
        return target?.certifiedHost ?? host
    }

    /// The host and the port as text, without credentials.
    package var location: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

extension ProxyServer.Kind {
    /// The default port, as in curl: 443 for `https`, and 1080 for all others, including `http`.
    public var defaultPort: Int { self == .https ? 443 : 1080 }
}

extension ProxyServer: Redacted {
    /// The protocol, the host, the port, and whether there are credentials; without the credentials and the fields' values.
    package var shown: KeyValuePairs<String, Any> {
        [
            "kind": "\(kind)", "location": location, "hasCredentials": user != nil,
            "connectHeaders": connectHeaders.map(\.name),
        ]
    }
}
