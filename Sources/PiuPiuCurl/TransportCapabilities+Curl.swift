#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

extension CurlTransport {
    /// The capabilities of the transport with the libcurl of this process, and advice about missing ones.
    ///
    /// They are determined on each call, because the environment and the authority files may have changed. This reads the state
    /// of a few files, and never uses the network.
    public static var capabilities: TransportCapabilities {
        guard let info = CurlLibraryInfo.current else { return TransportCapabilities.withoutLibrary }
        return TransportCapabilities(
            info,
            codings: ContentCoding.allCases.filter(\.isAvailable),
            authorities: CertificateAuthorities(chosen: nil, library: info.library),
            isReadable: { access($0, R_OK) == 0 }
        )
    }
}

extension TransportCapabilities {
    /// Derives the capabilities from libcurl's information about itself.
    ///
    /// - Parameters:
    ///   - info: libcurl's information.
    ///   - codings: The content codings whose libraries are available.
    ///   - authorities: The authorities that were chosen.
    ///   - isReadable: Whether a file or folder can be read.
    init(
        _ info: CurlLibraryInfo,
        codings: [ContentCoding],
        authorities: CertificateAuthorities,
        isReadable: (String) -> Bool
    ) {
        let library = info.library
        let http2 = Self.http2(info)
        let locations = authorities.locations(library)
        self.init(
            engine: "libcurl \(library.version)",
            libraryVersion: library.version,
            tls: info.usedTLS,
            http2: http2,
            http3: info.has(PP_CURL_VERSION_HTTP3) ? .yes : .no(reason: "this libcurl was built without it"),
            contentCodings: codings.map(\.name),
            supportsIPv6: info.has(PP_CURL_VERSION_IPV6),
            nameLookup: info.ares.map { .cares(version: $0) }
                ?? (info.has(PP_CURL_VERSION_ASYNCHDNS) ? .threads : .blocking),
            supportsUnixSockets: info.has(PP_CURL_VERSION_UNIX_SOCKETS),
            supportsHTTPSProxies: info.has(PP_CURL_VERSION_HTTPS_PROXY),
            supportsAlternativeServices: info.has(PP_CURL_VERSION_ALTSVC),
            inspectsTLS: library.supportsTLS && library.looksIntoTLS,
            authorities: locations.filter(isReadable),
            missing: Advice.essentials(info, http2)
                + Advice.authorities(
                    supportsTLS: library.supportsTLS,
                    locations,
                    file: authorities.file,
                    isReadable
                ) + Advice.limits(info, http2, codings)
        )
    }

    private static func http2(_ info: CurlLibraryInfo) -> Support {
        guard info.has(PP_CURL_VERSION_HTTP2) else { return .no(reason: "this libcurl was built without it") }
        guard info.library.supportsTLS else { return .no(reason: "this libcurl was built without TLS") }
        guard info.library.allowsHTTP2(.automatic) else {
            return .no(reason: "libcurl \(info.library.version) does not report every response that was cut off")
        }
        return .yes
    }

    /// The capabilities if libcurl provides no information about itself.
    fileprivate static var withoutLibrary: TransportCapabilities {
        let library = CurlLibrary(versionNumber: 0, version: "unknown", supportsTLS: false)
        return TransportCapabilities(
            CurlLibraryInfo(library: library, isInitialised: false, features: 0),
            codings: [],
            authorities: CertificateAuthorities(chosen: nil, library: library),
            isReadable: { _ in false }
        )
    }
}

extension CertificateAuthorities {
    /// All files and folders in which libcurl looks for authorities.
    fileprivate func locations(_ library: CurlLibrary) -> [String] {
        let folders = folder?.split(separator: ":").map { String($0) } ?? []
        let files = [file].compactMap(\.self)
        if !files.isEmpty || !folders.isEmpty { return files + folders }
        return [keepsFolder ? library.authorityFolder : library.authorityFile].compactMap(\.self)
    }
}
#endif
