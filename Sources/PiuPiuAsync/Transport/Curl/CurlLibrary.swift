#if os(Linux)
import CurlShim
import Glibc

/// The libcurl of this process: initialised once, and checked once.
struct CurlLibrary: Sendable {
    /// The oldest version that is tested, that of Debian 11.
    static let minimumVersion: UInt32 = 0x07_4a_00
    /// The version from which libcurl tells before it sends a request, again if it sends it twice.
    static let prerequestVersion: UInt32 = 0x07_50_00

    /// The version as a number, such as `0x075801` for 7.88.1.
    let versionNumber: UInt32
    /// The version in words, such as `7.88.1`.
    let version: String
    /// Whether it speaks TLS.
    let supportsTLS: Bool

    /// Whether it works with a TLS library that tells more than libcurl does: what is decrypted and not read, and which
    /// protocol was agreed on.
    var looksIntoTLS = false

    /// The file of trusted authorities that libcurl was built with.
    var authorityFile: String?
    /// The folder of trusted authorities that libcurl was built with.
    var authorityFolder: String?

    /// Whether libcurl calls before each sending of a request.
    var announcesRequests: Bool { versionNumber >= Self.prerequestVersion }
    /// Whether a name lookup can be given up without waiting for it (CURLOPT_QUICK_EXIT, 7.87).
    var abandonsLookups: Bool { versionNumber >= 0x07_57_00 }
    /// Whether libcurl calls for every socket it closes; from 7.88 to 8.2 not for one that was not connected yet.
    var tellsOfEveryClose: Bool { !(0x07_58_00..<0x08_03_00).contains(versionNumber) }

    /// The library, or why it cannot be used.
    static let shared: Result<CurlLibrary, TransportError> = load()

    private static func load() -> Result<CurlLibrary, TransportError> {
        guard pp_global_init() == 0, let info = pp_version_info() else {
            return .failure(TransportError(.libraryUnavailable, reason: "libcurl could not be initialised"))
        }
        let library = CurlLibrary(
            versionNumber: info.pointee.version_num,
            version: info.pointee.version.map { String(cString: $0) } ?? "unknown",
            supportsTLS: info.pointee.features & Int32(PP_CURL_VERSION_SSL) != 0,
            looksIntoTLS: pp_tls_is_known(),
            // The fields came with the seventh form of the structure, 7.70.
            authorityFile: info.pointee.age >= 6 ? info.pointee.cainfo.map { String(cString: $0) } : nil,
            authorityFolder: info.pointee.age >= 6 ? info.pointee.capath.map { String(cString: $0) } : nil
        )
        if let error = library.refusal { return .failure(error) }
        if library.hasReliableHTTP2 { pp_trace_http2() }
        return .success(library)
    }

    /// Why this version is refused; `nil` where it is good.
    var refusal: TransportError? {
        guard versionNumber < Self.minimumVersion else { return nil }
        return TransportError(
            .libraryUnavailable,
            reason: "libcurl \(version) is too old: PiuPiu needs 7.74.0 or newer"
        )
    }
}
#endif
