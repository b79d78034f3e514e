#if os(Linux)
import PiuPiuEngine

/// The TLS settings of a configuration in the form in which the engine takes them.
///
/// Everything that can be checked without reading files has been checked: a configuration that cannot be applied has no
/// plan.
struct SocketTLSPlan: Sendable {
    let rules: TLSRules
    private let usualSettings: TLSSettings
    private let usual: TLSProvider
    /// The origins with settings or pins of their own.
    private let byOrigin: [String: TLSProvider]

    /// Checks the settings.
    ///
    /// - Parameter configuration: The configuration.
    /// - Throws: ``TransportError`` with the code `unsupported` for settings that cannot be applied, and
    ///   `libraryUnavailable` if there is no TLS library for them.
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
    /// Profiles that differ in their routes share it, and with it what was read and agreed before.
    ///
    /// - Parameter origin: The origin, as ``TLSRules/origin(for:)`` returns it; `nil` for most origins.
    /// - Returns: The provider.
    /// - Throws: ``TransportError`` with the code `unsupported` for settings that cannot be applied.
    func provider(for origin: String?) throws(TransportError) -> TLSProvider {
        guard let origin else { return usual }
        if let known = byOrigin[origin] { return known }
        // An origin with pins of its host only: their number is not known, because each port has them. What the settings
        // were made of was checked, and partly read, when the transport was created.
        var settings = usualSettings
        settings.pins = try rules.pins(of: origin).map(\.bytes)
        return TLSProvider(settings)
    }

    /// Returns the provider of the contexts for TLS to a proxy itself: the transport's settings, never those of an origin.
    ///
    /// The client's certificate is for servers only. If the proxy has authorities of its own, the lists of revoked
    /// certificates are not about them.
    ///
    /// - Parameter proxy: The proxy.
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
