#if os(Linux)
import PiuPiuEngine

/// Decides by a configuration which profile the connection of a request over ``SocketTransport`` has.
struct SocketPlan: ProfilePlan {
    /// What distinguishes the connections of some requests from those of others.
    struct Key: ProfileKey {
        /// The origin whose TLS settings differ from those of the transport.
        var tls: String?
        /// The proxy.
        var proxy: ProxyServer?
        /// The origin that has a route of its own.
        var route: String?

        /// The key of most requests.
        static let usual = Key()
    }

    let id = PlanIdentity()
    let configuration: TransportConfiguration
    /// Whether all requests have the key ``Key/usual``.
    let isUniform: Bool
    /// How the proxy of a request is found; the environment is read once, here.
    let proxies: ProxySelection
    /// What the TLS settings mean.
    let tls: SocketTLSPlan
    /// The addresses that hosts have in place of a lookup.
    let overrides: AddressOverrides
    /// The numbers and addresses of the network's settings.
    let network: CheckedNetwork

    /// Checks a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - variables: The variables of the environment.
    /// - Throws: ``TransportError`` with the code `unsupported` if a setting cannot be applied, `invalidURL` if
    ///   ``TransportConfiguration/cleartextHTTP2`` names no origin, and what ``SocketTLSPlan`` throws.
    init(
        _ configuration: TransportConfiguration,
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        self.configuration = configuration
        tls = try SocketTLSPlan(configuration)
        (overrides, network) = try Self.checked { () throws(NetworkRefusal) in
            try configuration.routes.check()
            let overrides = try AddressOverrides(configuration.network.resolve)
            return (overrides, try CheckedNetwork(configuration.network))
        }
        proxies = ProxySelection(configuration.proxy, variables: variables)
        isUniform =
            tls.rules.isUniform && proxies.isNone && !Self.routeDependsOnOrigin(configuration)
            && configuration.requestGuard == nil
        try checkGuard(detour: nil)
        try checkFeatures()
        // A proxy that cannot be used is an error of the configuration, whatever is requested first.
        if case .server(let proxy, _) = proxies { _ = try profile(for: Key(proxy: proxy)) }
    }

    /// Returns the key of a request's connection.
    ///
    /// - Parameters:
    ///   - target: The request's target.
    ///   - request: The request.
    /// - Returns: The key.
    /// - Throws: ``TransportError`` if the request may not be sent this way.
    func key(for target: RequestTarget, _ request: TransportRequest) throws -> Key {
        try checkGuard(target, request)
        let route = try routeOrigin(for: target, request)
        let proxy = isSocket(route) || isGuardedFromEnvironment ? nil : try proxies.proxy(for: target, request)
        if proxy != nil, !target.isSecure, configuration.speaksHTTP2WithoutTLS(target) {
            throw request.error(.unsupported, reason: "HTTP/2 without TLS cannot be used through a proxy")
        }
        return Key(tls: tls.rules.origin(for: target), proxy: proxy, route: route)
    }

    /// Creates the profile of the connections with a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: A new profile.
    /// - Throws: ``TransportError`` with the code `unsupported` if a setting cannot be applied.
    func profile(for key: Key) throws -> SocketProfile {
        let route = route(of: key.route)
        switch route?.destination {
        case .unixSocket: try checkGuard(detour: "a Unix socket")
        case .abstractSocket: try checkGuard(detour: "an abstract Unix socket")
        case .host, nil: try checkGuard(detour: nil, usesProxy: key.proxy != nil)
        }
        return try SocketProfile(self, key, route: route)
    }
}

/// The profiles of a transport over sockets of its own.
typealias SocketProfiles = TransportProfiles<SocketPlan>
#endif
