#if os(Linux)
import PiuPiuEngine

/// Derives the profile of each request's connection over ``SocketTransport`` from a configuration.
struct SocketPlan: ProfilePlan {
    /// The properties that separate the connections of some requests from those of others.
    struct Key: ProfileKey {
        /// The origin whose TLS settings differ from those of the transport.
        var tls: String?
        var proxy: ProxyServer?
        /// The origin that has its own route.
        var route: String?

        /// The key that most requests have.
        static let usual = Key()
    }

    let id = PlanIdentity()
    let configuration: TransportConfiguration
    /// Whether all requests have the key ``Key/usual``.
    let isUniform: Bool
    /// Finds the proxy of a request, with the environment as it was at initialization.
    let proxies: ProxySelection
    /// The parsed TLS settings.
    let tls: SocketTLSPlan
    /// The hosts with configured addresses, which are not looked up.
    let overrides: AddressOverrides
    /// The checked numbers and addresses of the network settings.
    let network: CheckedNetwork

    /// Checks a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration to check.
    ///   - variables: The environment variables.
    /// - Throws: ``TransportError`` with the code `unsupported` if a setting cannot be applied, or `invalidURL` if an entry of
    ///   ``TransportConfiguration/cleartextHTTP2`` is not an origin; also the errors of ``SocketTLSPlan``.
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
        // An unusable proxy is an error of the configuration, no matter which request comes first.
        if case .server(let proxy, _) = proxies { _ = try profile(for: Key(proxy: proxy)) }
    }

    /// Returns the key of a request's connection; throws ``TransportError`` if the request may not be sent over it.
    func key(for target: RequestTarget, _ request: TransportRequest) throws -> Key {
        try checkGuard(target, request)
        let route = try routeOrigin(for: target, request)
        let proxy = isSocket(route) || isGuardedFromEnvironment ? nil : try proxies.proxy(for: target, request)
        if proxy != nil, !target.isSecure, configuration.speaksHTTP2WithoutTLS(target) {
            throw request.error(.unsupported, reason: "HTTP/2 without TLS cannot be used through a proxy")
        }
        return Key(tls: tls.rules.origin(for: target), proxy: proxy, route: route)
    }

    /// Creates the profile for the connections with a key.
    ///
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

/// The profiles of a ``SocketTransport``.
typealias SocketProfiles = TransportProfiles<SocketPlan>
#endif
