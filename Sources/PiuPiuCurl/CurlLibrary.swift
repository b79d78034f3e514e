#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

/// The libcurl of this process, initialised and checked once.
struct CurlLibrary: Sendable {
    /// The oldest tested version, from Debian 11.
    static let minimumVersion: UInt32 = 0x07_4a_00
    /// The first version that calls back before it sends a request.
    static let prerequestVersion: UInt32 = 0x07_50_00

    /// The version as a number, such as `0x075801` for 7.88.1.
    let versionNumber: UInt32
    /// The version as text, such as `7.88.1`.
    let version: String
    /// Whether libcurl supports TLS.
    let supportsTLS: Bool

    /// Whether libcurl speaks TLS with proxies.
    var supportsHTTPSProxies = false

    /// Whether libcurl's TLS library can be inspected.
    ///
    /// It then reports decrypted bytes that were not read, and the negotiated protocol.
    var looksIntoTLS = false

    /// The TLS library of libcurl and its version, such as `OpenSSL/3.0.17`; `nil` for none.
    var tlsLibrary: String?
    /// The file of trusted authorities that libcurl was built with.
    var authorityFile: String?
    /// The folder of trusted authorities that libcurl was built with.
    var authorityFolder: String?
    /// Whether libcurl was built with HTTP/3.
    var hasHTTP3 = false

    /// Whether libcurl calls back before it sends a request.
    var announcesRequests: Bool { versionNumber >= Self.prerequestVersion }
    /// Whether libcurl can abandon a name lookup without waiting for it (CURLOPT_QUICK_EXIT, 7.87).
    var abandonsLookups: Bool { versionNumber >= 0x07_57_00 }
    /// Whether CURLINFO_REQUEST_SIZE includes the body (8.7).
    var countsBodiesAsHeads: Bool { versionNumber >= 0x08_07_00 }

    /// Whether libcurl reports the number of a connection (CURLINFO_CONN_ID, 8.2).
    var numbersConnections: Bool { versionNumber >= 0x08_02_00 }
    /// Whether libcurl calls back for every socket it closes; 7.88 to 8.2 omit unconnected sockets.
    var reportsEveryClose: Bool { !(0x07_58_00..<0x08_03_00).contains(versionNumber) }

    /// The library, or why it cannot be used.
    static let shared: Result<CurlLibrary, TransportError> = load()

    private static func load() -> Result<CurlLibrary, TransportError> {
        guard pp_global_init() == 0, let info = pp_version_info() else {
            return .failure(TransportError(.libraryUnavailable, reason: "libcurl could not be initialised"))
        }
        let library = CurlLibrary(info.pointee)
        if let error = library.refusal { return .failure(error) }
        if library.hasReliableHTTP2, !library.logsRefusals { HTTP2FrameTrace.need(by: 1) }
        return .success(library)
    }

    /// The reason this version is refused; `nil` if it is accepted.
    var refusal: TransportError? {
        guard versionNumber < Self.minimumVersion else { return nil }
        return TransportError(
            .libraryUnavailable,
            reason: "libcurl \(version) is too old: PiuPiu needs 7.74.0 or newer"
        )
    }
}

extension CurlLibrary {
    /// Describes a library by its own information, without refusing it.
    init(_ info: PPVersionInfo) {
        func text(_ characters: UnsafePointer<CChar>?) -> String? { characters.map { String(cString: $0) } }
        self.init(
            versionNumber: info.version_num,
            version: text(info.version) ?? "unknown",
            supportsTLS: info.features & Int32(PP_CURL_VERSION_SSL) != 0,
            supportsHTTPSProxies: info.features & Int32(PP_CURL_VERSION_HTTPS_PROXY) != 0,
            looksIntoTLS: pp_tls_is_known(),
            tlsLibrary: text(info.ssl_version),
            // The seventh version of the structure, 7.70, added the fields.
            authorityFile: info.age >= 6 ? text(info.cainfo) : nil,
            authorityFolder: info.age >= 6 ? text(info.capath) : nil,
            hasHTTP3: info.features & Int32(PP_CURL_VERSION_HTTP3) != 0
        )
    }
}
#endif
