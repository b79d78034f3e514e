#if os(Linux)
import PiuPiuAsync

/// The TLS settings of a configuration in libcurl's terms.
///
/// All possible checks are done: a configuration that cannot be applied has no plan. Bytes are in memory files, which live as
/// long as the profiles that use them.
struct TLSPlan: Sendable {
    let rules: TLSRules
    private let usual: TLSMaterial
    private let byOrigin: [String: TLSMaterial]
    /// Whether streams need connections that libcurl cannot distinguish from those of other requests.
    private let separatesStreams: Bool

    /// Checks the settings and their files.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - library: The libcurl of this process.
    /// - Throws: `TransportError` with the code `unsupported` or `outOfResources`.
    init(_ configuration: TransportConfiguration, library: CurlLibrary) throws(TransportError) {
        rules = try TLSRules(configuration)
        let file = configuration.certificateAuthorityFile
        usual = try TLSMaterial(rules.usual, authorityFile: file, library: library)
        var byOrigin: [String: TLSMaterial] = [:]
        for (origin, own) in rules.byOrigin {
            byOrigin[origin] = try TLSMaterial(own, authorityFile: file, library: library)
        }
        self.byOrigin = byOrigin
        separatesStreams = library.allowsHTTP2(configuration.http2)
    }

    /// Whether the settings are the same for all requests.
    var isUniform: Bool { rules.isUniform && (usual.versions.maximum == nil || !separatesStreams) }

    /// Returns the settings of an origin; for `nil`, those of most origins.
    func material(for origin: String?) -> TLSMaterial { origin.flatMap { byOrigin[$0] } ?? usual }

    /// Returns whether a request is a stream that needs engines apart from those of other requests.
    ///
    /// Without a maximum version, two equivalent values keep both apart (see `CurlHandle`). There is only one value for a
    /// maximum version.
    func keepsApart(_ target: RequestTarget, _ request: TransportRequest) -> Bool {
        separatesStreams && target.isSecure && request.delivery == .streamed
            && material(for: target.certifiedOrigin).versions.maximum != nil
    }
}
#endif
