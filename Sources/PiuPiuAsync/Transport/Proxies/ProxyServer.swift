import PiuPiuEngine

/// A proxy through which connections are opened, with what only the proxy is told.
///
/// ```swift
/// let proxy = try ProxyServer("http://user:password@proxy.example:3128")
/// ```
///
/// User name, password and ``connectHeaders`` go to the proxy and to nothing else. Connections that were opened with one
/// user name are never used for another.
public struct ProxyServer: Sendable, Hashable {
    /// The protocol that a proxy speaks.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// HTTP (RFC 9110 §3.7): requests to `http` URLs are sent to the proxy, those to `https` URLs through a tunnel
        /// (RFC 9110 §9.3.6).
        case http
        /// Like ``http``, but over TLS to the proxy.
        case https
        /// SOCKS 4; this machine resolves the names of servers, to IPv4 addresses.
        case socks4
        /// SOCKS 4a; the proxy resolves the names.
        case socks4a
        /// SOCKS 5 (RFC 1928); this machine resolves the names, and its name servers learn of them.
        case socks5
        /// SOCKS 5; the proxy resolves the names, and no name server of this machine learns of them.
        case socks5h
    }

    /// The protocol.
    public let kind: Kind
    /// The host name or address, in lower case and without brackets.
    public let host: String
    /// The port.
    public let port: Int
    /// The header fields of `CONNECT` requests, which open tunnels; requests to servers do not have them.
    public let connectHeaders: HTTPHeaderFields
    /// A PEM file with the authorities to trust for the proxy itself, of the kind `https`.
    ///
    /// `nil`, the default, for those of ``TransportConfiguration/tls``.
    public let authorityFile: URL?

    /// The user name; `nil` for no credentials.
    package let user: String?
    package let password: String
    /// The field with the credentials for an HTTP proxy; empty for none.
    let authorization: FieldList
    /// The fields of ``connectHeaders``.
    let connectFields: FieldList

    /// Creates a proxy.
    ///
    /// - Parameters:
    ///   - kind: The protocol.
    ///   - host: The host name or IP address, an IPv6 address with or without brackets.
    ///   - port: The port; by default 443 for `https` and 1080 for all others, which are curl's.
    ///   - user: The user name; `nil` for no credentials. An HTTP proxy gets it with the first request, as
    ///     `Proxy-Authorization: Basic` (RFC 7617), so it has no colon. A SOCKS proxy gets at most 255 bytes (RFC 1929).
    ///   - password: The password; SOCKS 4 has none.
    ///   - connectHeaders: Header fields for the `CONNECT` requests of an HTTP proxy.
    ///   - authorityFile: A PEM file with the authorities to trust for the proxy itself.
    /// - Throws: ``ProxyServerError``, which quotes none of the arguments.
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

    /// The host for which the certificate of a proxy that is reached over TLS must be valid.
    var certifiedHost: String {
        let target = URL(string: "https://\(location)").flatMap { try? RequestTarget($0) }
        return target?.certifiedHost ?? host
    }

    /// The host and the port for a text, without credentials.
    package var location: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

extension ProxyServer.Kind {
    /// The port if none is named, as curl has it: 443 for `https`, and 1080 for all others, `http` included.
    public var defaultPort: Int { self == .https ? 443 : 1080 }
}

extension ProxyServer: Redacted {
    /// The protocol, the host and the port, and whether there are credentials, without them and header fields' values.
    package var shown: KeyValuePairs<String, Any> {
        [
            "kind": "\(kind)", "location": location, "hasCredentials": user != nil,
            "connectHeaders": connectHeaders.map(\.name),
        ]
    }
}
