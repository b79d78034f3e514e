/// How connections use the network below HTTP: names, addresses, TCP and the life of connections.
///
/// Durations count in the unit that the setting names; parts of it are rounded up. A value that is not allowed, or that
/// the system cannot apply, makes the transport fail with ``TransportError/Code/unsupported`` before
/// anything is sent. On Apple systems, everything but the defaults does.
public struct NetworkConfiguration: Sendable, Hashable {
    // MARK: Names

    /// The addresses of hosts, in place of a name lookup.
    ///
    /// A key is a host and a port, such as `api.example:443`; the value has one or more addresses, IPv6 with or without
    /// brackets. ``SocketTransport/reconfigure(_:)`` makes a change take effect at the next request.
    ///
    /// An override applies to every spelling of its host, such as `API.example.` and, for `127.0.0.1`, `127.1`. It applies
    /// to proxies and to the hosts of routes, too, but not to servers whose names a proxy resolves.
    public var resolve: [String: [String]] = [:]
    /// A server for name lookups over https (RFC 8484); `nil` for the system's resolver.
    ///
    /// The server's own name is looked up by the system. If a lookup fails, the system is not asked instead.
    /// Lookups use no proxy but that of the environment: it is an error if the environment names one for the server, unless
    /// ``TransportConfiguration/proxy`` is `environment` and there is no ``TransportConfiguration/requestGuard``.
    /// Only `CurlTransport` of the product `PiuPiuCurl` does this, with libcurl 8.14 or newer.
    public var dnsOverHTTPS: URL?
    /// How long addresses are remembered, in seconds; zero for not at all, `nil` for 60 seconds.
    public var dnsCacheTime: Duration?

    // MARK: Addresses

    /// Which versions of IP are used; ``IPVersion/any`` by default.
    public var ipVersion = IPVersion.any
    /// The head start of IPv6 (RFC 8305 §5), in milliseconds; `nil` for 200 ms.
    public var happyEyeballsDelay: Duration?
    /// The local end of connections; `nil` to let the system choose.
    public var localEnd: LocalEnd?
    /// The local ports to choose from, 1 to 65535; `nil` for any.
    ///
    /// If none of them is free, connecting fails with ``TransportError/Code/cannotConnect``.
    public var localPorts: ClosedRange<Int>?

    // MARK: TCP

    /// Probes on idle connections; `nil` for none.
    public var keepAlive: TCPKeepAlive?
    /// How long sent bytes may stay unacknowledged before the system gives a connection up, in milliseconds from 1.
    ///
    /// `nil` for the system's rule, which usually takes about 15 minutes (`TCP_USER_TIMEOUT`, RFC 5482). It does not apply
    /// to Unix sockets.
    public var userTimeout: Duration?
    /// Whether the first bytes travel with the first packet (RFC 7413).
    ///
    /// Only `CurlTransport` of the product `PiuPiuCurl` does this. It needs a kernel that allows it for clients. The network may deliver these bytes twice: use it only where that is
    /// harmless, or with https.
    public var usesFastOpen = false
    /// The PROXY protocol header that begins each connection; `nil` for none.
    public var haproxyHeader: HAProxyHeader?

    // MARK: The life of connections

    /// How long an idle connection may be used again, in seconds from 1; 90 s by default.
    ///
    /// Many servers close idle connections after 60 to 120 seconds.
    public var maximumIdleTime = Duration.seconds(90)
    /// How old a connection may be to be used again, in seconds from 1; `nil` for any age.
    ///
    /// It lets changed addresses take effect on busy connections, too.
    public var maximumConnectionAge: Duration?

    /// Creates the default settings.
    public init() {}
}

extension NetworkConfiguration: Redacted {
    /// All settings; of the URL for name lookups only its origin, because services tell their customers by the rest.
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
    /// IPv4 and IPv6, whichever answers first (RFC 8305).
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
    /// - Returns: The local end. A transport refuses anything but an address with ``TransportError/Code/unsupported``;
    ///   connections from an address that this machine does not have fail with ``TransportError/Code/cannotConnect``.
    public static func address(_ literal: String) -> LocalEnd { LocalEnd(kind: .address(literal)) }

    /// A network interface.
    ///
    /// - Parameter name: The interface's name, such as `eth1`: 1 to 15 letters, digits and `.`, `_`, `-`, `:` or `@`.
    /// - Returns: The local end. A transport refuses another name with ``TransportError/Code/unsupported``; connections
    ///   through an interface that does not exist fail with ``TransportError/Code/cannotConnect``.
    public static func interface(_ name: String) -> LocalEnd { LocalEnd(kind: .interface(name)) }
}

/// The header by which a proxy tells a server about its client: version 1 of HAProxy's PROXY protocol.
///
/// It is the first line of each connection, before TLS. A server that does not expect it answers with an error.
public struct HAProxyHeader: Sendable, Hashable {
    /// The client's address, IPv4 or IPv6; `nil` for the connection's own.
    ///
    /// It must be of the version of IP that connections use (``NetworkConfiguration/ipVersion``): that version stands beside
    /// it, and servers close a connection whose header does not fit together.
    public var clientAddress: String?

    /// Creates a header.
    ///
    /// - Parameter clientAddress: The client's address; `nil` for the connection's own.
    public init(clientAddress: String? = nil) {
        self.clientAddress = clientAddress
    }
}

/// Probes that the system sends on an idle TCP connection, to find out whether the peer is still there.
///
/// They also keep the state of firewalls and address translators alive.
public struct TCPKeepAlive: Sendable, Hashable {
    /// How long a connection is idle before the first probe, in whole seconds from 1; 60 s by default.
    public var idle: Duration
    /// The time between two probes, in whole seconds from 1; 60 s by default.
    public var interval: Duration
    /// How many probes may stay unanswered, from 1; `nil` for the system's number.
    public var count: Int?

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - idle: How long a connection is idle before the first probe.
    ///   - interval: The time between two probes.
    ///   - count: How many probes may stay unanswered.
    public init(idle: Duration = .seconds(60), interval: Duration = .seconds(60), count: Int? = nil) {
        self.idle = idle
        self.interval = interval
        self.count = count
    }
}
