#if os(Linux)
import CurlShim
import PiuPiuAsync

/// libcurl's information about itself, as a value.
struct CurlLibraryInfo: Sendable {
    var library: CurlLibrary
    /// Whether libcurl could be initialised.
    var isInitialised = true
    /// The features, as CURL_VERSION_… bits.
    var features: Int32
    /// All TLS libraries with their versions; those that are not in use are in parentheses.
    var tls: String?
    /// The version of c-ares; `nil` if libcurl works without it.
    var ares: String?

    /// The libcurl of this process; `nil` if it provides no information.
    static var current: CurlLibraryInfo? {
        // This initialises libcurl, if it is not initialised yet.
        let isUsable = (try? CurlLibrary.shared.get()) != nil
        guard let info = pp_version_info()?.pointee else { return nil }
        let library = CurlLibrary(info)
        return CurlLibraryInfo(
            library: library,
            isInitialised: isUsable || library.refusal != nil,
            features: info.features,
            tls: info.ssl_version.map { String(cString: $0) },
            ares: info.age >= 1 ? info.ares.map { String(cString: $0) } : nil
        )
    }

    /// Whether libcurl was built with a feature.
    func has(_ feature: some BinaryInteger) -> Bool { features & Int32(feature) != 0 }

    /// The TLS library that is in use, with its version.
    var usedTLS: String? {
        guard library.supportsTLS else { return nil }
        return tls?.split(separator: " ").first { !$0.hasPrefix("(") }.map { String($0) }
    }
}
#endif
