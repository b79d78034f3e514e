/// A guard for servers that fetch URLs from their users: it allows requests to public servers only.
///
/// Without it, a user can make your server fetch `http://169.254.169.254/`, `http://localhost:6379/` or a name that resolves
/// to such an address, and read data that only your network may see (server-side request forgery, SSRF).
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.transport.requestGuard = RequestGuard()
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// The guard checks **the address to which a connection is about to be opened**, after its name was resolved and before
/// the first packet, for each request and each redirect. A name that resolves to one address during the check and to
/// another one later (DNS rebinding) therefore cannot bypass it. If only some addresses of a name are forbidden,
/// the others may be used. By default, the guard forbids:
///
/// - Every address that does not belong to a public server, according to IANA's special-purpose registries (RFC 6890):
///   loopback, private, link-local, shared, documentation, multicast, reserved. For an IPv6 address that embeds an IPv4
///   address (mapped, compatible, NAT64, 6to4, Teredo), the guard checks the embedded address.
/// - The addresses and names in ``forbiddenBlocks`` and ``forbiddenHosts``: services that clouds offer to their machines.
/// - Ports other than 80 and 443.
/// - IPv4 addresses in notations other than four decimal numbers, such as `0x7f.1` and `2130706433`.
///
/// A forbidden request throws a ``TransportError`` with the code ``TransportError/Code/forbiddenAddress``; nothing is sent.
/// Its text can contain a host's address: write it to your log, and do not show it to the user.
///
/// A guarded request never uses a proxy, which would resolve names itself, or a Unix socket: the transport ignores proxies of
/// the environment, and refuses other ones with the code `unsupported`. `file:` URLs are refused, too, even with
/// ``URLRequestDispatcher/Configuration/allowsFileURLs``. ``URLSessionTransport`` does not support guards, and refuses every
/// request with `unsupported`.
///
/// The guard does not limit the size, the duration or the number of requests: see ``RequestOptions``,
/// ``Timeouts`` and ``RateLimit``.
public struct RequestGuard: Sendable, Hashable {
    /// Blocks whose addresses are allowed although they do not belong to public servers; empty by default.
    ///
    /// ``forbiddenBlocks`` takes precedence.
    public var allowedBlocks: [AddressBlock] = []
    /// Additional blocks whose addresses are forbidden; ``platformBlocks`` by default.
    public var forbiddenBlocks: [AddressBlock] = RequestGuard.platformBlocks
    /// The allowed ports, 80 and 443 by default; `nil` allows all.
    ///
    /// Many other ports belong to services that interpret parts of an HTTP request as commands.
    public var allowedPorts: Set<Int>? = [80, 443]
    /// Whether `http` URLs are forbidden; `false` by default.
    public var requiresHTTPS = false
    /// The names of forbidden hosts, regardless of their addresses; ``platformHosts`` by default.
    ///
    /// A name includes all names below it: `internal.example` also forbids `a.internal.example`. Case and a trailing dot do not
    /// matter.
    public var forbiddenHosts: Set<String> = RequestGuard.platformHosts

    /// The public address of Azure's platform services, which only its machines can reach (`168.63.129.16`).
    ///
    /// The corresponding addresses of other clouds are not public, and therefore already forbidden.
    public static let platformBlocks = [AddressBlock(IPAddress(0xA83F_8110), prefixLength: 32)]
    /// The names of the services that provide credentials to machines in Google's cloud.
    public static let platformHosts: Set<String> = ["metadata.google.internal", "metadata.goog"]

    /// Creates a guard that allows requests to public servers on ports 80 and 443 only.
    public init() {}
}

extension RequestGuard: Redacted {
    /// All settings.
    package var shown: KeyValuePairs<String, Any> {
        [
            "allowedBlocks": allowedBlocks, "forbiddenBlocks": forbiddenBlocks,
            "allowedPorts": allowedPorts.map { "\($0.sorted())" } ?? "all", "requiresHTTPS": requiresHTTPS,
            "forbiddenHosts": forbiddenHosts.sorted(),
        ]
    }
}
