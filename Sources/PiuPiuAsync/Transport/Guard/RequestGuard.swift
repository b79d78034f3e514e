/// A guard for servers that fetch URLs of their users: it lets requests reach public servers only.
///
/// Without it, a user can have your server fetch `http://169.254.169.254/`, `http://localhost:6379/` or a name that leads
/// there, and read what only your network may see (server-side request forgery, SSRF).
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.transport.requestGuard = RequestGuard()
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// The guard judges **the address to which a connection is about to be opened**, after its name was resolved and before
/// the first packet, for each request and each redirect. A name that leads to one address when it is checked and to
/// another one when it is used (DNS rebinding) therefore gains nothing. If only some addresses of a name are forbidden,
/// the others may be used. By default, these are forbidden:
///
/// - Every address that is not one of a public server, by IANA's special-purpose registries (RFC 6890): loopback,
///   private, link-local, shared, documentation, multicast, reserved. An IPv6 address that embeds one of IPv4 (mapped,
///   compatible, NAT64, 6to4, Teredo) is judged by the latter.
/// - The addresses and names in ``forbiddenBlocks`` and ``forbiddenHosts``: what clouds offer to their machines.
/// - Ports other than 80 and 443.
/// - IPv4 addresses in other notations than four decimal numbers, such as `0x7f.1` and `2130706433`.
///
/// What is forbidden throws a ``TransportError`` with the code ``TransportError/Code/forbiddenAddress``; nothing is sent.
/// Its text can name the address that a host has: write it to your log, and do not show it to the user.
///
/// A guarded request never goes through a proxy, which would resolve names itself, nor to a Unix socket: proxies of the
/// environment are not used, and other ones are refused with the code `unsupported`. `file:` URLs are refused, even with
/// ``URLRequestDispatcher/Configuration/allowsFileURLs``. ``URLSessionTransport`` cannot be guarded, and refuses every
/// request with `unsupported`.
///
/// The guard says nothing about the size, the time and the number of what is fetched: see ``RequestOptions``,
/// ``Timeouts`` and ``RateLimit``.
public struct RequestGuard: Sendable, Hashable {
    /// Blocks whose addresses may be used although they are not those of public servers; none by default.
    ///
    /// ``forbiddenBlocks`` takes precedence.
    public var allowedBlocks: [AddressBlock] = []
    /// Further blocks whose addresses may not be used; by default ``platformBlocks``.
    public var forbiddenBlocks: [AddressBlock] = RequestGuard.platformBlocks
    /// The ports that may be used, 80 and 443 by default; `nil` for all.
    ///
    /// Many other ports belong to services that take parts of an HTTP request for commands.
    public var allowedPorts: Set<Int>? = [80, 443]
    /// Whether `http` URLs are forbidden; `false` by default.
    public var requiresHTTPS = false
    /// Names of hosts that may not be used, whatever their addresses; by default ``platformHosts``.
    ///
    /// A name includes all names below it: `internal.example` forbids `a.internal.example` too. The case of letters and a
    /// dot at the end do not matter.
    public var forbiddenHosts: Set<String> = RequestGuard.platformHosts

    /// The public address of Azure's platform services, which are reachable from its machines only (`168.63.129.16`).
    ///
    /// The corresponding addresses of other clouds are not public, and therefore forbidden anyway.
    public static let platformBlocks = [AddressBlock(IPAddress(0xA83F_8110), prefixLength: 32)]
    /// The names of the services by which machines of Google's cloud learn their credentials.
    public static let platformHosts: Set<String> = ["metadata.google.internal", "metadata.goog"]

    /// Creates a guard that lets requests reach public servers on the ports 80 and 443 only.
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
