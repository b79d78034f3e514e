/// The certificate authorities that may sign a server's certificate.
public struct TLSAuthorities: Sendable, Hashable {
    package enum Source: Sendable, Hashable {
        case system
        case file(URL)
        case folder(URL)
        case certificates(Data)
        case systemAndFile(URL)
        case systemAndCertificates(Data)
    }

    package let source: Source

    /// The authorities that the system trusts.
    ///
    /// On Linux, the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR` override their location.
    public static let system = TLSAuthorities(source: .system)

    /// The certificates in a file, and no others.
    ///
    /// If the file is replaced, new connections trust the new certificates after
    /// ``TLSConfiguration/authorityReloadInterval``.
    ///
    /// - Parameter url: A file with at least one certificate (PEM, RFC 7468).
    /// - Returns: The authorities.
    public static func file(_ url: URL) -> TLSAuthorities { TLSAuthorities(source: .file(url)) }

    /// The certificates in a folder, and no others.
    ///
    /// Each connection looks them up in the folder, so a change takes effect at the next connection.
    ///
    /// - Parameter url: A folder of certificates, with file names as created by `openssl rehash`.
    /// - Returns: The authorities.
    public static func folder(_ url: URL) -> TLSAuthorities { TLSAuthorities(source: .folder(url)) }

    /// Certificates in memory, and no others.
    ///
    /// - Parameter pem: At least one certificate (PEM, RFC 7468).
    /// - Returns: The authorities.
    public static func certificates(_ pem: Data) -> TLSAuthorities { TLSAuthorities(source: .certificates(pem)) }

    /// The system's authorities and those in a file.
    ///
    /// The transport reads both when it is created and when it is reconfigured, not later.
    ///
    /// - Parameter url: A file with at least one certificate (PEM, RFC 7468).
    /// - Returns: The authorities.
    public static func system(adding url: URL) -> TLSAuthorities { TLSAuthorities(source: .systemAndFile(url)) }

    /// The system's authorities and those in memory.
    ///
    /// The transport reads the system's authorities when it is created and when it is reconfigured, not later.
    ///
    /// - Parameter pem: At least one certificate (PEM, RFC 7468).
    /// - Returns: The authorities.
    public static func system(adding pem: Data) -> TLSAuthorities {
        TLSAuthorities(source: .systemAndCertificates(pem))
    }
}

extension TLSAuthorities: Redacted {
    /// The location of the certificates; not the certificates, which can be long.
    package var shown: KeyValuePairs<String, Any> {
        switch source {
        case .system: ["source": "the system's"]
        case .file(let url): ["file": url.path()]
        case .folder(let url): ["folder": url.path()]
        case .certificates(let pem): ["bytes": pem.count]
        case .systemAndFile(let url): ["source": "the system's", "file": url.path()]
        case .systemAndCertificates(let pem): ["source": "the system's", "bytes": pem.count]
        }
    }
}
