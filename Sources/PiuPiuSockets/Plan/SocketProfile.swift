#if os(Linux)
import PiuPiuEngine
import Synchronization

/// The properties of a ``SocketTransport`` connection other than its origin: TLS, sockets, names, the proxy and the route.
///
/// Profiles don't share connections: data sent with one identity can't reach a connection of another.
///
///     current ── retire ──▶ retired: its connections close when their last exchange ends
final class SocketProfile: RetirableProfile {
    /// The options to set on sockets before they connect; Unix sockets ignore them.
    let options: SocketOptions
    /// The versions of IP to look up and connect to.
    let family: AddressFamily
    /// The time between two attempts to connect, in nanoseconds.
    let eyeballsDelay: Int64
    /// How long addresses are cached, in nanoseconds; 0 disables the cache.
    let cacheTime: Int64
    /// The source of the TLS contexts.
    let tls: TLSProvider
    /// The proxy; `nil` for none.
    let proxy: ProxyServer?
    /// The source of the TLS contexts for the proxy itself; `nil` if the connection to it doesn't use TLS.
    let proxyTLS: TLSProvider?
    /// How long a connection may stay idle before it can no longer be reused, in nanoseconds.
    let maximumIdleTime: Int64
    /// The maximum age of a connection that can be reused, in nanoseconds; `.max` for no limit.
    let maximumAge: Int64
    /// The rules for the addresses that connections may be opened to; `nil` allows all.
    let requestGuard: RequestGuard?
    /// The PROXY protocol header that starts each connection; `nil` for none.
    let proxyProtocol: ProxyProtocolHeader?
    /// Whether HTTP/2 is offered over TLS.
    let offersHTTP2: Bool

    private let cleartextHTTP2: [String]
    let route: Route?
    private let overrides: AddressOverrides
    private let retired = Atomic<Bool>(false)

    /// The default delay between two connection attempts, in milliseconds, and the default cache time, in seconds, as in curl.
    private static let usualDelay = 200
    private static let usualCacheTime = 60

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - plan: The plan that the profile belongs to.
    ///   - key: The key of the connections.
    ///   - route: The route of the only origin that uses the profile; `nil` for origins without a route.
    /// - Throws: ``TransportError`` with the code `unsupported` if a setting cannot be applied.
    init(_ plan: SocketPlan, _ key: SocketPlan.Key, route: Route?) throws(TransportError) {
        let network = plan.network
        options = try SocketOptions(network)
        family = AddressFamily(plan.configuration.network.ipVersion)
        eyeballsDelay = Int64(network.eyeballsMilliseconds ?? Self.usualDelay) * 1_000_000
        cacheTime = Int64(network.cacheSeconds ?? Self.usualCacheTime) * 1_000_000_000
        tls = try plan.tls.provider(for: key.tls)
        proxy = key.proxy
        proxyTLS = try key.proxy.flatMap { proxy throws(TransportError) in try plan.tls.provider(of: proxy) }
        maximumIdleTime = Int64(network.idleSeconds) * 1_000_000_000
        maximumAge = network.ageSeconds.map { Int64($0) * 1_000_000_000 } ?? .max
        requestGuard = plan.configuration.requestGuard
        offersHTTP2 = plan.configuration.offersHTTP2OverSockets
        cleartextHTTP2 = plan.configuration.cleartextHTTP2.compactMap { (try? RequestTarget($0))?.usualOrigin }
        if let client = network.haproxyClient {
            proxyProtocol = ProxyProtocolHeader(client: try SocketAddress(checked: client))
        } else {
            proxyProtocol = plan.configuration.network.haproxyHeader.map { _ in ProxyProtocolHeader() }
        }
        self.route = route
        overrides = plan.overrides
    }

    /// Whether connections to a target use HTTP/2 without negotiating it.
    func speaksHTTP2WithoutTLS(_ target: RequestTarget) -> Bool {
        !cleartextHTTP2.isEmpty && cleartextHTTP2.contains(target.usualOrigin)
    }

    /// Whether new exchanges no longer use the profile.
    var isRetired: Bool { retired.load(ordering: .acquiring) }

    /// Excludes the profile from new exchanges.
    ///
    /// Exchanges that already use it end as usual.
    func retire() { retired.store(true, ordering: .releasing) }

    /// Returns the reason why a connection to an address is not allowed; `nil` if it is allowed.
    ///
    /// The ``SocketOpener`` checks each address before it connects.
    func refusal(of address: SocketAddress) -> String? {
        guard let requestGuard else { return nil }
        return address.withBytes { requestGuard.refusal(ofSocketAddress: $0) }
    }
}

extension SocketProfile {
    /// The destination of a connection.
    enum Destination: Sendable, Hashable {
        /// One of these addresses. The list is empty if no address has the configured IP version.
        case addresses([SocketAddress])
        /// One of the addresses of a name.
        case name(String, port: UInt16)
    }

    /// Returns the destination of a connection for a target: the proxy, if there is one.
    func destination(of target: RequestTarget) -> Destination {
        guard let proxy else { return serverDestination(of: target) }
        return destination(of: Substring(NetworkRefusal.bracketed(proxy.host)), proxy.port)
    }

    /// Returns the destination of a target's server, without the proxy.
    func serverDestination(of target: RequestTarget) -> Destination {
        switch route?.destination {
        case .unixSocket(let path): .addresses([SocketAddress.unixSocket(path: path)].compactMap { $0 })
        case .abstractSocket(let name): .addresses([SocketAddress.abstractSocket(name: name)].compactMap { $0 })
        case .host(let name, let port):
            destination(
                of: Substring(name.hasPrefix("[") ? name : NetworkRefusal.bracketed(name.lowercased())),
                port
            )
        case nil: destination(of: target.host, target.port)
        }
    }

    /// Returns the destination for a host in lower case, with an IPv6 address in brackets.
    private func destination(of host: Substring, _ port: Int) -> Destination {
        let number = UInt16(clamping: port)
        if let known = overrides.addresses(of: host, port: port) { return addresses(known, number) }
        if host.hasPrefix("[") { return addresses([String(host.dropFirst().dropLast())], number) }
        // One dot at the end marks a fully qualified name. Names in certificates don't have it.
        let name = host.hasSuffix(".") && host.count > 1 ? host.dropLast() : host
        if let address = SocketAddress(literal: name, port: number) {
            return .addresses(family.includes(address) ? [address] : [])
        }
        if let own = NameLookup.loopback(name, port: number, family: family) { return .addresses(own) }
        return .name(String(name), port: number)
    }

    private func addresses(_ literals: [String], _ port: UInt16) -> Destination {
        .addresses(literals.compactMap { SocketAddress(literal: $0, port: port) }.filter { family.includes($0) })
    }
}

extension TransportConfiguration {
    /// Whether ``SocketTransport`` offers HTTP/2 over TLS.
    var offersHTTP2OverSockets: Bool {
        guard http2 != .never, case .success = NGHTTP2Library.shared else { return false }
        return true
    }
}
#endif
