#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Advice about missing capabilities, with Debian's package names.
extension TransportCapabilities.Advice {
    private static let newLibrary =
        "Install libcurl 8.14 or newer (Debian 12: libcurl4 from bookworm-backports; Debian 13: libcurl4)"
    private static let completeLibrary = "Install a libcurl that was built with it (Debian: libcurl4)"

    /// The advice about capabilities without which requests fail.
    static func essentials(_ info: CurlLibraryInfo, _ http2: TransportCapabilities.Support) -> [Self] {
        let library = info.library
        guard library.refusal == nil else {
            return [
                Self(
                    subject: "libcurl",
                    problem: "libcurl \(library.version) is too old, and every request fails",
                    remedy: "Install libcurl 7.74 or newer (Debian 11 and newer: libcurl4)",
                    isEssential: true
                )
            ]
        }
        var advice: [Self] = []
        if !info.isInitialised {
            advice.append(
                Self(
                    subject: "libcurl",
                    problem: "libcurl \(library.version) cannot be initialised, and every request fails",
                    remedy: "Install libcurl again (Debian: libcurl4)",
                    isEssential: true
                )
            )
        }
        if !library.supportsTLS {
            advice.append(
                Self(
                    subject: "TLS",
                    problem: "this libcurl was built without TLS, and every request to an https URL fails",
                    remedy: completeLibrary,
                    isEssential: true
                )
            )
        }
        return advice
    }

    /// The advice about capabilities that are limited.
    static func limits(
        _ info: CurlLibraryInfo,
        _ http2: TransportCapabilities.Support,
        _ codings: [ContentCoding]
    ) -> [Self] {
        let library = info.library
        var advice: [Self] = []
        func add(_ subject: String, _ problem: String, _ remedy: String) {
            advice.append(Self(subject: subject, problem: problem, remedy: remedy, isEssential: false))
        }
        if library.supportsTLS, case .no(let reason) = http2 {
            add(
                "HTTP/2",
                "it is off, because \(reason)",
                info.has(PP_CURL_VERSION_HTTP2) ? newLibrary : completeLibrary
            )
        }
        if !library.reusesHandles {
            let problem = "libcurl \(library.version) could corrupt memory, so that each exchange takes a new handle"
            add("Reused handles", "\(problem) and more time", newLibrary)
        }
        if !library.announcesRequests {
            let problem = "libcurl \(library.version) does not tell when it sends a request again"
            add("Reused connections", "\(problem), so that a POST always opens a connection", newLibrary)
        }
        if library.supportsTLS, !library.looksIntoTLS {
            let problem = "\(info.usedTLS ?? "the TLS library") cannot be asked how a connection ended"
            add(
                "Reused connections over TLS",
                "\(problem), so that each is used only once with HTTP/1.1",
                "Install a libcurl that works with OpenSSL (Debian: libcurl4)"
            )
        }
        advice += missing(of: codings)
        if info.ares == nil, !info.has(PP_CURL_VERSION_ASYNCHDNS) {
            add("Name lookups", "each one stops all other requests of its event loop", completeLibrary)
        }
        for (feature, name) in [
            (PP_CURL_VERSION_IPV6, "IPv6"), (PP_CURL_VERSION_UNIX_SOCKETS, "Unix sockets"),
            (PP_CURL_VERSION_HTTPS_PROXY, "HTTPS proxies"),
        ] where !info.has(feature) {
            add(name, "this libcurl was built without it", completeLibrary)
        }
        return advice
    }
}
#endif
