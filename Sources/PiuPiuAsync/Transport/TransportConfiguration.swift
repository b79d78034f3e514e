/// The settings by which a transport connects.
public struct TransportConfiguration: Sendable, Hashable {
    /// The source of the proxy settings.
    public enum Proxy: Sendable, Hashable {
        /// The standard environment variables: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
        case environment
        /// No proxy, whatever the environment says.
        case none
    }

    /// How many connections may be open at once.
    public var connections: ConnectionLimits
    /// A PEM file with the certificate authorities to trust in place of the system's; `nil` for the system's.
    ///
    /// On Linux, the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR`, if set, name the system's authorities.
    public var certificateAuthorityFile: URL?
    /// Whether HTTP/2 is offered over TLS; ``HTTP2Use/automatic`` by default.
    public var http2: HTTP2Use
    /// Whether streams and downloads share connections over HTTP/2 too; `false` by default.
    ///
    /// libcurl keeps the data that a reader is not ready for in a single buffer per connection, and meanwhile reads
    /// nothing for the connection's other streams (observed with 7.88). A slow reader would block every request to the
    /// same host. By default, streams and downloads therefore have their own connections, over HTTP/1.1. No effect on
    /// Apple systems.
    public var streamsOverHTTP2 = false
    /// The source of the proxy settings.
    public var proxy: Proxy
    /// The `User-Agent` of requests without their own; `nil` to send none.
    public var userAgent: String?
    /// The number of network threads, each with its share of ``connections``.
    ///
    /// One is enough for most programs. Values above 256 count as 256, and there are never more threads than
    /// connections to one host.
    public var eventLoops: Int

    private static let maximumEventLoops = 256

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - connections: How many connections may be open at once.
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
        userAgent: String? = "PiuPiu/2.0",
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
    var limitsPerLoop: [ConnectionLimits] { connections.shares(min(eventLoops, Self.maximumEventLoops)) }
}

extension TransportConfiguration: Redacted {
    /// Every setting except the `User-Agent`.
    package var shown: KeyValuePairs<String, Any> {
        [
            "connections": connections, "certificateAuthorityFile": certificateAuthorityFile?.path() ?? "the system's",
            "http2": http2, "streamsOverHTTP2": streamsOverHTTP2, "proxy": proxy, "eventLoops": eventLoops,
        ]
    }
}
