#if os(Linux)
/// The advice of transports about missing features; the package names are those of Debian.
extension TransportCapabilities.Advice {
    /// The advice about the authorities.
    package static func authorities(
        supportsTLS: Bool,
        _ locations: [String],
        file: String?,
        _ isReadable: (String) -> Bool
    ) -> [Self] {
        // A configured file is required, even if a folder is readable.
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

    /// The advice about missing content codings.
    package static func missing(of codings: [ContentCoding]) -> [Self] {
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
    /// The file of the library that decodes the coding.
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
