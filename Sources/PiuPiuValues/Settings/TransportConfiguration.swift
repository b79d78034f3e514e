/// The settings of a transport's connections.
public struct TransportConfiguration: Sendable, Hashable {
    /// The source of the proxy settings.
    ///
    /// See <doc:Proxies>.
    public enum Proxy: Sendable, Hashable {
        /// The standard environment variables: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
        ///
        /// They are read once, by curl's rules, when a transport is created or reconfigured. If a variable names an unusable
        /// proxy for a request, the request fails with ``TransportError/Code/proxy``; it is never sent without one.
        case environment
        /// No proxy, regardless of the environment.
        case none
        /// One proxy for all servers, with exceptions.
        case server(ProxyServer, except: ProxyExclusions = ProxyExclusions())
        /// A function that chooses the proxy of each request; see ``choosing(_:)``.
        case function(ProxyFunction)

        /// A function that chooses the proxy of each request.
        ///
        /// - Parameter choose: The function; see ``ProxyFunction/Choice``.
        /// - Returns: A value that is equal only to itself.
        public static func choosing(_ choose: @escaping ProxyFunction.Choice) -> Proxy {
            .function(ProxyFunction(choose))
        }
    }

    /// The limits on the number of open connections.
    public var connections: ConnectionLimits
    /// A PEM file with the certificate authorities to trust in place of the system's; `nil` for the system's.
    ///
    /// On Linux, the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR`, if set, name the system's authorities.
    ///
    /// This is the short form of ``TLSConfiguration/authorities`` with a file, and applies if those are the system's, both in
    /// ``tls`` and in ``tlsByOrigin``. It is an error if ``tls`` sets other authorities. In contrast to ``tls``, the file is
    /// not checked in advance: if it cannot be read, requests fail with ``TransportError/Code/tls``.
    public var certificateAuthorityFile: URL?
    /// The TLS settings, and the certificates that the transport trusts.
    public var tls = TLSConfiguration()
    /// The settings of single origins, in place of ``tls``.
    ///
    /// A key is the URL of an origin: `https`, the host, and the port unless it is 443. Its value contains all settings of the
    /// origin: none come from ``tls``, except the host's pins if the value has none. Each origin has its own connections. Other
    /// keys are an error when the transport is created.
    public var tlsByOrigin: [URL: TLSConfiguration] = [:]
    /// Whether HTTP/2 is offered over TLS; ``HTTP2Use/automatic`` by default.
    public var http2: HTTP2Use
    /// Whether requests to `https` URLs use HTTP/3; ``SocketTransport`` supports only the default, ``HTTP3Use/never``.
    public var http3 = HTTP3Use.never
    /// The origins that speak HTTP/2 without TLS, such as `http://localhost:8080`; none by default.
    ///
    /// Requests to these origins start HTTP/2 at once, with prior knowledge (RFC 9113 §3.3), and share connections as over
    /// TLS. Paths are ignored.
    ///
    /// Creating a transport throws `invalidURL` for a URL that is not an `http` URL with a host, and `unsupported` if
    /// ``http2`` is ``HTTP2Use/never`` or there is no nghttp2. Requests through a proxy fail with `unsupported`, and so do all
    /// requests to these origins on Apple systems.
    public var cleartextHTTP2: Set<URL> = []
    /// The source of the proxy settings.
    public var proxy: Proxy
    /// The `User-Agent` of requests without their own; `nil` to send none.
    public var userAgent: String?
    /// The number of network threads, each with its share of ``connections``.
    ///
    /// One is enough for most programs. Values above 256 count as 256, and there are never more threads than
    /// connections to one host.
    public var eventLoops: Int

    /// The rules for the servers that requests may reach; `nil`, the default, allows all.
    ///
    /// For servers that fetch URLs from their users; see ``RequestGuard``.
    public var requestGuard: RequestGuard?
    /// The use of the network below HTTP: names, addresses, TCP and the lifetime of connections.
    public var network = NetworkConfiguration()
    /// The origins whose connections have other destinations, such as a Unix socket; none by default.
    public var routes = Routes()

    /// The names of protocol classes from a `URLSessionConfiguration`, which no platform transport supports.
    package var protocolClasses: [String] = []

    private static let maximumEventLoops = 256

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - connections: The limits on the number of open connections.
    ///   - certificateAuthorityFile: A PEM file with the authorities to trust in place of the system's.
    ///   - http2: Whether HTTP/2 is offered over TLS.
    ///   - proxy: The source of the proxy settings.
    ///   - userAgent: The `User-Agent` of requests without their own.
    ///   - eventLoops: The number of network threads.
    public init(
        connections: ConnectionLimits = ConnectionLimits(),
        certificateAuthorityFile: URL? = nil,
        http2: HTTP2Use = .automatic,
        proxy: Proxy = .environment,
        userAgent: String? = PiuPiuVersion.userAgent,
        eventLoops: Int = 1
    ) {
        self.connections = connections
        self.certificateAuthorityFile = certificateAuthorityFile
        self.http2 = http2
        self.proxy = proxy
        self.userAgent = userAgent
        self.eventLoops = eventLoops
    }

    /// The limits of each event loop.
    package var limitsPerLoop: [ConnectionLimits] { connections.shares(min(eventLoops, Self.maximumEventLoops)) }
}

extension TransportConfiguration: Redacted {
    /// Every setting except the `User-Agent`.
    package var shown: KeyValuePairs<String, Any> {
        [
            "connections": connections, "certificateAuthorityFile": certificateAuthorityFile?.path() ?? "the system's",
            "tls": tls, "tlsByOrigin": tlsByOrigin.keys.map { Redaction.standard.text(of: $0) }.sorted(),
            "http2": http2, "http3": http3,
            "cleartextHTTP2": cleartextHTTP2.compactMap { (try? RequestTarget($0))?.origin }.sorted(), "proxy": proxy,
            "eventLoops": eventLoops, "network": network, "routes": routes,
            "requestGuard": requestGuard.map { "\($0)" } ?? "none",
        ]
    }
}

extension TransportConfiguration {
    /// Returns the identity that a server sees: that of its origin, or the default.
    package func clientIdentity(for target: RequestTarget) -> TLSIdentity? {
        guard !tlsByOrigin.isEmpty else { return tls.identity }
        let own = tlsByOrigin.first { url, _ in (try? RequestTarget(url))?.origin == target.origin }
        return (own?.value ?? tls).identity
    }
}

extension TransportConfiguration {
    /// Returns whether connections to a target use HTTP/2 without TLS.
    package func speaksHTTP2WithoutTLS(_ target: RequestTarget) -> Bool {
        cleartextHTTP2.contains { (try? RequestTarget($0))?.usualOrigin == target.usualOrigin }
    }
}
