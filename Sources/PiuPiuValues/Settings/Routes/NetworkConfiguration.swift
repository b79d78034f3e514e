/// The use of the network below HTTP: names, addresses, TCP and the lifetime of connections.
///
/// Durations are rounded up to the unit that the setting names. If a value is invalid, or the system cannot apply it, the
/// transport fails with ``TransportError/Code/unsupported`` before anything is sent. On Apple systems, this applies to
/// everything but the defaults.
public struct NetworkConfiguration: Sendable, Hashable {
    // MARK: Names

    /// The addresses of hosts, in place of a name lookup.
    ///
    /// A key is a host and a port, such as `api.example:443`; the value contains one or more addresses, IPv6 with or without
    /// brackets. After ``SocketTransport/reconfigure(_:)``, a change takes effect at the next request.
    ///
    /// An override applies to every spelling of its host, such as `API.example.` and, for `127.0.0.1`, `127.1`. It also applies
    /// to proxies and to the hosts of routes, but not to servers whose names a proxy resolves.
    public var resolve: [String: [String]] = [:]
    /// A server for name lookups over https (RFC 8484); `nil` for the system's resolver.
    ///
    /// The system looks up the server's own name. If a lookup fails, the transport does not fall back to the system. Lookups
    /// use no proxy except one from the environment: it is an error if the environment configures one for the server, unless
    /// ``TransportConfiguration/proxy`` is `environment` and there is no ``TransportConfiguration/requestGuard``. Only
    /// `CurlTransport` of the product `PiuPiuCurl` supports this, with libcurl 8.14 or newer.
    public var dnsOverHTTPS: URL?
    /// How long addresses are cached, in seconds; zero disables the cache, and `nil` means 60 seconds.
    public var dnsCacheTime: Duration?

    // MARK: Addresses

    /// The versions of IP to use; ``IPVersion/any`` by default.
    public var ipVersion = IPVersion.any
    /// The head start of IPv6 (RFC 8305 §5), in milliseconds; `nil` means 200 ms.
    public var happyEyeballsDelay: Duration?
    /// The local end of connections; `nil` lets the system choose.
    public var localEnd: LocalEnd?
    /// The local ports to choose from, 1 to 65535; `nil` for any.
    ///
    /// If none of them is free, connecting fails with ``TransportError/Code/cannotConnect``.
    public var localPorts: ClosedRange<Int>?

    // MARK: TCP

    /// Probes on idle connections; `nil` for none.
    public var keepAlive: TCPKeepAlive?
    /// How long sent bytes may stay unacknowledged before the system closes a connection, in milliseconds from 1.
    ///
    /// `nil` means the system's default, usually about 15 minutes (`TCP_USER_TIMEOUT`, RFC 5482). The setting does not apply
    /// to Unix sockets.
    public var userTimeout: Duration?
    /// Whether connections use TCP Fast Open, which sends the first bytes with the first packet (RFC 7413).
    ///
    /// Only `CurlTransport` of the product `PiuPiuCurl` supports this, on a kernel that allows it for clients. The network may
    /// deliver these bytes twice: use it only if that is harmless, or with https.
    public var usesFastOpen = false
    /// The PROXY protocol header that starts each connection; `nil` for none.
    public var haproxyHeader: HAProxyHeader?

    // MARK: The lifetime of connections

    /// How long a connection may stay idle before it can no longer be reused, in seconds from 1; 90 s by default.
    ///
    /// Many servers close idle connections after 60 to 120 seconds.
    public var maximumIdleTime = Duration.seconds(90)
    /// The maximum age of a connection that can be reused, in seconds from 1; `nil` for no limit.
    ///
    /// With a limit, changed addresses also take effect on busy connections.
    public var maximumConnectionAge: Duration?

    /// Creates the default settings.
    public init() {}
}

extension NetworkConfiguration: Redacted {
    /// All settings; the URL for name lookups is reduced to its origin, because the rest can identify a customer.
    package var shown: KeyValuePairs<String, Any> {
        [
            "resolve": resolve,
            "dnsOverHTTPS": dnsOverHTTPS.map { (try? RequestTarget($0))?.origin ?? "invalid" } ?? "none",
            "dnsCacheTime": Self.text(dnsCacheTime), "ipVersion": ipVersion,
            "happyEyeballsDelay": Self.text(happyEyeballsDelay), "localEnd": Self.text(localEnd?.kind),
            "localPorts": Self.text(localPorts), "keepAlive": Self.text(keepAlive),
            "userTimeout": Self.text(userTimeout), "usesFastOpen": usesFastOpen,
            "haproxyHeader": Self.text(haproxyHeader), "maximumIdleTime": maximumIdleTime,
            "maximumConnectionAge": Self.text(maximumConnectionAge),
        ]
    }

    private static func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "none" }
}

/// The versions of IP that connections use.
public enum IPVersion: Sendable, Hashable {
    /// IPv4 and IPv6; the first one to connect is used (RFC 8305).
    case any
    /// IPv4 only.
    case v4
    /// IPv6 only.
    case v6
}

/// The local end of connections: an address or an interface of this machine.
public struct LocalEnd: Sendable, Hashable {
    package enum Kind: Hashable, Sendable {
        case address(String)
        case interface(String)
    }

    let kind: Kind

    /// An address of this machine.
    ///
    /// - Parameter literal: An IPv4 or IPv6 address, never a name.
    /// - Returns: The local end. A transport refuses any other text with ``TransportError/Code/unsupported``;
    ///   connections from an address that this machine does not have fail with ``TransportError/Code/cannotConnect``.
    public static func address(_ literal: String) -> LocalEnd { LocalEnd(kind: .address(literal)) }

    /// A network interface.
    ///
    /// - Parameter name: The interface's name, such as `eth1`: 1 to 15 letters, digits and `.`, `_`, `-`, `:` or `@`.
    /// - Returns: The local end. A transport refuses an invalid name with ``TransportError/Code/unsupported``; connections
    ///   through an interface that does not exist fail with ``TransportError/Code/cannotConnect``.
    public static func interface(_ name: String) -> LocalEnd { LocalEnd(kind: .interface(name)) }
}

/// The header with which a proxy identifies its client to a server: version 1 of HAProxy's PROXY protocol.
///
/// It is the first line of each connection, before TLS. A server that does not expect it responds with an error.
public struct HAProxyHeader: Sendable, Hashable {
    /// The client's address, IPv4 or IPv6; `nil` for the connection's own.
    ///
    /// Its IP version must be the one that connections use (``NetworkConfiguration/ipVersion``): the header contains both, and
    /// servers close a connection whose header is inconsistent.
    public var clientAddress: String?

    /// Creates a header.
    ///
    /// - Parameter clientAddress: The client's address; `nil` for the connection's own.
    public init(clientAddress: String? = nil) {
        self.clientAddress = clientAddress
    }
}

/// The probes that the system sends on an idle TCP connection to find out whether the peer is still there.
///
/// They also keep the state of firewalls and address translators alive.
public struct TCPKeepAlive: Sendable, Hashable {
    /// How long a connection is idle before the first probe, in whole seconds from 1; 60 s by default.
    public var idle: Duration
    /// The time between two probes, in whole seconds from 1; 60 s by default.
    public var interval: Duration
    /// The number of probes that may stay unanswered, from 1; `nil` for the system's default.
    public var count: Int?

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - idle: How long a connection is idle before the first probe.
    ///   - interval: The time between two probes.
    ///   - count: The number of probes that may stay unanswered.
    public init(idle: Duration = .seconds(60), interval: Duration = .seconds(60), count: Int? = nil) {
        self.idle = idle
        self.interval = interval
        self.count = count
    }
}
