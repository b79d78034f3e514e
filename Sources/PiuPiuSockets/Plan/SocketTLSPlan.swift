#if os(Linux)
import PiuPiuEngine

/// The TLS settings of a configuration, in the engine's form.
///
/// Everything that can be checked without reading files has been checked: a configuration that cannot be applied has no plan.
struct SocketTLSPlan: Sendable {
    let rules: TLSRules
    private let usualSettings: TLSSettings
    private let usual: TLSProvider
    /// The origins with their own settings or pins.
    private let byOrigin: [String: TLSProvider]

    /// Checks the TLS settings.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if settings cannot be applied, or `libraryUnavailable` if there
    ///   is no TLS library.
    init(_ configuration: TransportConfiguration) throws(TransportError) {
        rules = try TLSRules(configuration)
        let authorityFile = configuration.certificateAuthorityFile
        let protocols = configuration.offersHTTP2OverSockets ? ["h2", "http/1.1"] : ["http/1.1"]
        var usualSettings = try TLSSettings(rules.usual, authorityFile: authorityFile, pins: [])
        usualSettings.applicationProtocols = protocols
        self.usualSettings = usualSettings
        usual = TLSProvider(usualSettings)
        var byOrigin: [String: TLSProvider] = [:]
        for (origin, own) in rules.byOrigin {
            var settings = try TLSSettings(own, authorityFile: authorityFile, pins: try rules.pins(of: origin))
            settings.applicationProtocols = protocols
            byOrigin[origin] = TLSProvider(settings)
        }
        self.byOrigin = byOrigin
    }

    /// Returns the provider of the contexts for an origin.
    ///
    /// Profiles that differ only in their routes share it, including its loaded settings and its TLS sessions.
    ///
    /// - Parameter origin: The origin, as ``TLSRules/origin(for:)`` returns it; `nil` for most origins.
    /// - Returns: The provider.
    /// - Throws: ``TransportError`` with the code `unsupported` if settings cannot be applied.
    func provider(for origin: String?) throws(TransportError) -> TLSProvider {
        guard let origin else { return usual }
        if let known = byOrigin[origin] { return known }
        // The origin has only pins for its host. They apply to every port, so the plan can't list the origins in advance. The
        // other settings were checked, and partly loaded, when the transport was created.
        var settings = usualSettings
        settings.pins = try rules.pins(of: origin).map(\.bytes)
        return TLSProvider(settings)
    }

    /// Returns the provider of the contexts for TLS to the proxy itself: the transport's settings, never those of an origin.
    ///
    /// The client's certificate is for servers only. If the proxy has its own authorities, the revocation lists don't apply to
    /// them.
    ///
    /// - Returns: The provider; `nil` for a proxy without TLS.
    /// - Throws: ``TransportError`` with the code `libraryUnavailable` if there is no TLS library.
    func provider(of proxy: ProxyServer) throws(TransportError) -> TLSProvider? {
        guard proxy.kind == .https else { return nil }
        let protocols = ["http/1.1"]
        let pins = rules.pins(of: proxy).map(\.bytes)
        let isUsual =
            usualSettings.identity == nil && !usualSettings.requiresStapledStatus && pins.isEmpty
            && proxy.authorityFile == nil && usualSettings.applicationProtocols == protocols
        if isUsual { return usual }
        var settings = usualSettings
        settings.identity = nil
        settings.requiresStapledStatus = false
        settings.applicationProtocols = protocols
        settings.pins = pins
        if let file = proxy.authorityFile {
            var own = rules.usual
            own.authorities = .system
            settings.authorities = try TLSSettings.authorities(own, file)
            settings.revocationLists = nil
        }
        return TLSProvider(settings)
    }
}
#endif
