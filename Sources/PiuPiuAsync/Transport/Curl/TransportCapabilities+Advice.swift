#if os(Linux)
import CurlShim

/// What to say about what is missing; the names of packages are those of Debian.
extension TransportCapabilities.Advice {
    private static let newLibrary =
        "Install libcurl 8.14 or newer (Debian 12: libcurl4 from bookworm-backports; Debian 13: libcurl4)"
    private static let completeLibrary = "Install a libcurl that was built with it (Debian: libcurl4)"

    /// What requests fail without.
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

    /// What is said about the authorities.
    static func authorities(
        supportsTLS: Bool,
        _ locations: [String],
        file: String?,
        _ isReadable: (String) -> Bool
    ) -> [Self] {
        // libcurl insists on a file that it is given, whatever a folder has.
        let isUsable = locations.contains(where: isReadable) && file.map(isReadable) ?? true
        guard supportsTLS, !isUsable else { return [] }
        let unreadable = locations.filter { !isReadable($0) }.joined(separator: ", ")
        let problem = locations.isEmpty ? "none were found" : "\(unreadable) cannot be read"
        return [
            Self(
                subject: "Certificate authorities",
                problem: "\(problem), and no server with an https URL is trusted",
                remedy:
                    "Install them (Debian: ca-certificates), or name a file of them in certificateAuthorityFile or in "
                    + "the variable SSL_CERT_FILE",
                isEssential: true
            )
        ]
    }

    /// What works less well than it could.
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

    /// What is said about content codings that are not there.
    static func missing(of codings: [ContentCoding]) -> [Self] {
        ContentCoding.allCases.filter { coding in
            // One library decodes both gzip and deflate.
            !codings.contains(coding) && (coding != .deflate || codings.contains(.gzip))
        }.map { coding in
            Self(
                subject: coding.name,
                problem: "\(coding.libraryName) was not found, so that responses are larger",
                remedy: coding.remedy,
                isEssential: false
            )
        }
    }
}

extension ContentCoding {
    /// The file of the library that decodes it.
    fileprivate var libraryName: String {
        switch self {
        case .gzip, .deflate: "libz.so.1"
        case .brotli: "libbrotlidec.so.1"
        case .zstd: "libzstd.so.1"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .gzip, .deflate: "Install zlib (Debian: zlib1g)"
        case .brotli: "Install brotli (Debian: libbrotli1)"
        case .zstd: "Install zstd (Debian: libzstd1)"
        }
    }
}
#endif
