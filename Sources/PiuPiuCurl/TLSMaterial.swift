#if os(Linux)
import CurlShim
import PiuPiuAsync

/// One TLS configuration in libcurl's terms.
struct TLSMaterial: Sendable {
    /// The versions to offer.
    struct Versions: Sendable, Hashable {
        /// The oldest, as CURL_SSLVERSION_….
        var minimum = Int(PP_CURL_SSLVERSION_TLSv1_2)
        /// The newest, as CURL_SSLVERSION_MAX_…; `nil` for any.
        var maximum: Int?
    }

    let authorities: CertificateAuthorities
    private(set) var versions = Versions()
    /// Everything else, except pins.
    private(set) var options: [CurlOption] = []
    /// The in-memory files in the options.
    private(set) var files: [MemoryFile] = []

    /// Checks a configuration and reads its files.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - authorityFile: The authorities in place of the system's.
    ///   - library: The libcurl of this process.
    /// - Throws: `TransportError` with the code `unsupported` or `outOfResources`.
    init(_ configuration: TLSConfiguration, authorityFile: URL?, library: CurlLibrary) throws(TransportError) {
        var authorities = try CertificateAuthorities(configuration.authorities, file: authorityFile, library: library)
        authorities.cacheSeconds = Int(min(configuration.authorityReloadInterval.components.seconds, 1 << 30))
        self.authorities = authorities
        versions.minimum = Int(
            (configuration.minimumVersion == .tls13 ? PP_CURL_SSLVERSION_TLSv1_3 : PP_CURL_SSLVERSION_TLSv1_2)
        )
        versions.maximum = configuration.maximumVersion.map {
            Int($0 == .tls13 ? PP_CURL_SSLVERSION_MAX_TLSv1_3 : PP_CURL_SSLVERSION_MAX_TLSv1_2)
        }
        if let identity = configuration.identity { try add(identity, library) }
        if let suites = configuration.cipherSuites {
            try library.requireOpenSSL(for: "a choice of cipher suites")
            add(PP_CURLOPT_SSL_CIPHER_LIST, .text(suites.joined(separator: ":")), "a choice of cipher suites")
        }
        if let suites = configuration.tls13CipherSuites {
            let name = "a choice of cipher suites of TLS 1.3"
            try library.requireOpenSSL(for: name)
            add(PP_CURLOPT_TLS13_CIPHERS, .text(suites.joined(separator: ":")), name)
        }
        if let lists = configuration.revocationLists { try addRevocationLists(lists, library) }
        if configuration.requiresStapledStatus {
            add(PP_CURLOPT_SSL_VERIFYSTATUS, .long(1), "the requirement of a stapled OCSP response")
        }
        if !configuration.verifiesServer {
            add(PP_CURLOPT_SSL_VERIFYPEER, .long(0), "the absence of verification")
            add(PP_CURLOPT_SSL_VERIFYHOST, .long(0), "the absence of verification")
        }
    }

    private mutating func add(_ option: PPOption, _ value: CurlOption.Value, _ name: String) {
        options.append(CurlOption(option, value, name))
    }

    private mutating func addRevocationLists(_ url: URL, _ library: CurlLibrary) throws(TransportError) {
        try library.requireOpenSSL(for: "revocation lists")
        let name = "The file of revocation lists"
        let lists = PEMBlock.blocks(in: try TLSFile.read(url, name)).filter { $0.label == "X509 CRL" }
        guard !lists.isEmpty, lists.allSatisfy(\.isRevocationList) else {
            throw TLSFault.error("\(name) contains no revocation list in PEM, or a malformed one")
        }
        add(PP_CURLOPT_CRLFILE, .text(TLSFile.path(of: url)), "revocation lists")
    }

    private mutating func add(_ identity: TLSIdentity, _ library: CurlLibrary) throws(TransportError) {
        let certificate = try material(identity.certificate, "The client's certificate")
        let type = identity.form == .pem ? "PEM" : "P12"
        let name = "the client's certificate"
        add(PP_CURLOPT_SSLCERTTYPE, .text(type), name)
        add(PP_CURLOPT_SSLCERT, .text(certificate.path), name)
        switch identity.form {
        case .pkcs12:
            try library.requireOpenSSL(for: "a client's certificate in PKCS#12")
            // The first byte of an ASN.1 SEQUENCE.
            guard certificate.bytes.first == 0x30 else {
                throw TLSFault.error("The client's certificate is not PKCS#12")
            }
        case .pem:
            try TLSFile.checkCertificates(certificate.bytes, "The client's certificate")
            let key =
                try identity.key.map { part throws(TransportError) in
                    try material(part, "The client's key")
                } ?? certificate
            let keys = PEMBlock.blocks(in: key.bytes).filter(\.isKey)
            guard let first = keys.first else { throw TLSFault.error("The client's key has no private key in PEM") }
            if first.isEncrypted {
                try library.requireOpenSSL(for: "an encrypted key")
                guard identity.passphrase != nil else {
                    throw TLSFault.error("The client's key is encrypted, and there is no passphrase")
                }
            }
            add(PP_CURLOPT_SSLKEYTYPE, .text("PEM"), "the client's key")
            add(PP_CURLOPT_SSLKEY, .text(key.path), "the client's key")
        }
        // Without it, OpenSSL would ask for a passphrase on the terminal, and wait for the answer.
        add(PP_CURLOPT_KEYPASSWD, .text(identity.passphrase ?? ""), "the passphrase of the client's key")
        // A resumed session keeps the certificate of its original handshake, which may be an older one.
        if identity.isInFiles { add(PP_CURLOPT_SSL_SESSIONID_CACHE, .long(0), "the absence of resumed sessions") }
    }

    /// Returns the path of a part of an identity for libcurl, and its bytes.
    private mutating func material(
        _ part: TLSIdentity.Part,
        _ name: String
    ) throws(TransportError) -> (path: String, bytes: Data) {
        switch part {
        case .file(let url): return (TLSFile.path(of: url), try TLSFile.read(url, name))
        case .bytes(let bytes):
            let file = try MemoryFile(bytes)
            files.append(file)
            return (file.path, bytes)
        }
    }
}

extension CurlLibrary {
    /// Checks that libcurl uses OpenSSL, or a library with its interface.
    ///
    /// libcurl accepts some options with every TLS library but ignores them with the others.
    fileprivate func requireOpenSSL(for name: String) throws(TransportError) {
        let families = ["OpenSSL/", "LibreSSL/", "BoringSSL", "AWS-LC/", "quictls/"]
        guard let tlsLibrary, families.contains(where: tlsLibrary.hasPrefix) else {
            throw TLSFault.error("libcurl \(version) cannot apply \(name) without OpenSSL")
        }
    }
}
#endif
