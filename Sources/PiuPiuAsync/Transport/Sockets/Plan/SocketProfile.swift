#if os(Linux)
import PiuPiuEngine
import Synchronization

/// All that a connection of ``SocketTransport`` depends on except its origin: TLS, sockets, names, the proxy and the route.
///
/// Each profile has connections of its own: what is sent with one identity can't reach a connection of another.
///
///     current ── retire ──▶ retired: its connections go when their last exchange ends
final class SocketProfile: RetirableProfile {
    /// What sockets are given before they connect; Unix sockets have none of it.
    let options: SocketOptions
    /// The versions of IP that are looked up and connected to.
    let family: AddressFamily
    /// The time between two attempts to connect, in nanoseconds.
    let eyeballsDelay: Int64
    /// How long addresses are remembered, in nanoseconds; 0 for not at all.
    let cacheTime: Int64
    /// The source of the TLS contexts.
    let tls: TLSProvider
    /// The proxy; `nil` for none.
    let proxy: ProxyServer?
    /// The source of the TLS contexts for the proxy itself; `nil` if it is reached without TLS.
    let proxyTLS: TLSProvider?
    /// How long an idle connection may be used again, in nanoseconds.
    let maximumIdleTime: Int64
    /// How old a connection may be to be used again, in nanoseconds; `.max` for any age.
    let maximumAge: Int64
    /// What addresses connections may be opened to; `nil` for all.
    let requestGuard: RequestGuard?
    /// The first line of each connection; `nil` for none.
    let proxyProtocol: ProxyProtocolHeader?
    /// Whether HTTP/2 is offered over TLS.
    let offersHTTP2: Bool

    private let cleartextHTTP2: [String]
    let route: Route?
    private let overrides: AddressOverrides
    private let retired = Atomic<Bool>(false)

    /// The time between two attempts to connect, and for which addresses are remembered, as in curl.
    private static let usualDelay = 200
    private static let usualCacheTime = 60

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - key: The key of the connections.
    ///   - route: The route of the one origin that has the profile; `nil` for those without a route.
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

    /// Whether HTTP/2 is spoken with a target without being agreed on.
    func speaksHTTP2WithoutTLS(_ target: RequestTarget) -> Bool {
        !cleartextHTTP2.isEmpty && cleartextHTTP2.contains(target.usualOrigin)
    }

    /// Whether no new exchange gets the profile.
    var isRetired: Bool { retired.load(ordering: .acquiring) }

    /// Records that no new exchange gets the profile.
    ///
    /// An exchange that already has it still ends as usual.
    func retire() { retired.store(true, ordering: .releasing) }

    /// Returns why a connection to an address may not be opened; `nil` if it may.
    ///
    /// To be asked for each address before each connection: see ``SocketOpener``.
    func refusal(of address: SocketAddress) -> String? {
        guard let requestGuard else { return nil }
        return address.withBytes { requestGuard.refusal(ofSocketAddress: $0) }
    }
}

extension SocketProfile {
    /// Where a connection leads.
    enum Destination: Sendable, Hashable {
        /// To one of these addresses; an empty list if none is of the version of IP that is used.
        case addresses([SocketAddress])
        /// To one of the addresses of a name.
        case name(String, port: UInt16)
    }

    /// Returns where a connection for a target leads.
    ///
    /// - Parameter target: The target of a request that has this profile.
    /// - Returns: The destination: the proxy, if there is one.
    func destination(of target: RequestTarget) -> Destination {
        guard let proxy else { return serverDestination(of: target) }
        return destination(of: Substring(NetworkRefusal.bracketed(proxy.host)), proxy.port)
    }

    /// Returns where the server of a target is.
    ///
    /// - Parameter target: The target of a request that has this profile.
    /// - Returns: The destination.
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

    /// Returns where a connection to a host leads.
    ///
    /// - Parameters:
    ///   - host: The host in lower case; an IPv6 address is in brackets.
    ///   - port: The port.
    /// - Returns: The destination.
    private func destination(of host: Substring, _ port: Int) -> Destination {
        let number = UInt16(clamping: port)
        if let known = overrides.addresses(of: host, port: port) { return addresses(known, number) }
        if host.hasPrefix("[") { return addresses([String(host.dropFirst().dropLast())], number) }
        // One dot at the end says that the name is complete, which the certificate's names do not say.
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
