#if os(Linux)
import PiuPiuAsync

/// Chooses the connection profile of a request, based on a configuration.
struct ConnectionPlan: ProfilePlan {
    /// The properties that separate the connections of some requests from those of others.
    struct Key: ProfileKey {
        /// The origin whose TLS settings differ from those of the transport.
        var tls: String?
        /// The proxy.
        var proxy: ProxyServer?
        /// The origin that has its own route.
        var route: String?
        /// Whether the connections are for streams and separate from those that others share.
        var isOfStreams = false

        /// The key of most requests.
        static let usual = Key()
    }

    let id = PlanIdentity()
    let configuration: TransportConfiguration
    let library: CurlLibrary
    /// The options of tests, for every connection.
    let trialOptions: [CurlOption]
    /// Selects the proxy of a request; the environment is read once, here.
    let proxies: ProxySelection
    /// The proxy settings of the environment, which libcurl uses for its own lookups over https.
    let environment: ProxyEnvironment
    /// Whether all requests have the key ``Key/usual``.
    let isUniform: Bool
    /// The TLS settings in libcurl's terms.
    let tls: TLSPlan
    /// The addresses of hosts that replace a lookup.
    let overrides: AddressOverrides
    /// The numbers and addresses of the network settings.
    let network: CheckedNetwork

    /// Checks a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - library: The libcurl of this process.
    ///   - trialOptions: The options of tests, for every connection.
    ///   - variables: The variables of the environment.
    /// - Throws: `TransportError` with the code `unsupported` if this libcurl cannot apply a setting.
    init(
        _ configuration: TransportConfiguration,
        library: CurlLibrary,
        trialOptions: [CurlOption] = [],
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        self.configuration = configuration
        self.library = library
        self.trialOptions = trialOptions
        tls = try TLSPlan(configuration, library: library)
        overrides = try Self.checked { () throws(NetworkRefusal) in
            try AddressOverrides(configuration.network.resolve)
        }
        network = try Self.checked { () throws(NetworkRefusal) in try CheckedNetwork(configuration.network) }
        proxies = ProxySelection(configuration.proxy, variables: variables)
        environment = ProxyEnvironment(variables)
        isUniform =
            tls.isUniform && proxies.isNone && !Self.routeDependsOnOrigin(configuration)
            && configuration.requestGuard == nil
        _ = try settings(for: .usual)
        if case .server(let proxy, _) = proxies { _ = try settings(for: Key(proxy: proxy)) }
    }

    /// Returns the key of a request's connection; throws a `TransportError` if the request may not be sent this way.
    func key(for target: RequestTarget, _ request: TransportRequest) throws -> Key {
        try checkGuard(target, request)
        let route = try routeOrigin(for: target, request)
        let proxy = isSocket(route) || isGuardedFromEnvironment ? nil : try proxy(for: target, request)
        try checkVersion(for: target, proxy, route)
        return Key(
            tls: tlsOrigin(for: target),
            proxy: proxy,
            route: route,
            isOfStreams: tls.keepsApart(target, request)
        )
    }

    func profile(for key: Key) throws -> ConnectionProfile { ConnectionProfile(try settings(for: key)) }

    /// Returns the settings of the connections with a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The settings.
    /// - Throws: `TransportError` with the code `unsupported` if this libcurl cannot apply one of them.
    func settings(for key: Key) throws -> CurlHandle.Settings {
        // The route's options follow those of the proxy, because a Unix socket has no proxy.
        let options =
            try tlsOptions(for: key) + proxyOptions(for: key) + routeOptions(for: key)
            + trialOptions
        try checkGuard(options, key)
        let material = tls.material(for: key.tls)
        return CurlHandle.Settings(
            authorities: material.authorities,
            allowsHTTP2: library.allowsHTTP2(configuration.http2),
            proxy: key.proxy,
            requestGuard: configuration.requestGuard,
            options: options,
            socketOptions: socketOptions,
            tlsVersions: material.versions,
            files: material.files + files(for: key.proxy),
            http3: try http3(for: key),
            cleartextHTTP2: try cleartextHTTP2(),
            overrides: overridesOfTargets(for: key)
        )
    }
}
#endif
