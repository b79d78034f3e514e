#if os(Linux)
import PiuPiuEngine

extension SPKIPin {
    /// The digest in the engine's form.
    var bytes: [UInt8] { Array(digest) }
}

extension TLSSettings {
    /// Checks a configuration and the files that it names.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which ``TLSRules`` has checked.
    ///   - authorityFile: The authorities in place of the system's; `nil` for the system's. This file is not checked in
    ///     advance.
    ///   - pins: The accepted server keys; empty accepts any key.
    /// - Throws: ``TransportError`` with the code `unsupported`, or `libraryUnavailable` without OpenSSL.
    init(_ configuration: TLSConfiguration, authorityFile: URL?, pins: [SPKIPin]) throws(TransportError) {
        self.init()
        verifiesServer = configuration.verifiesServer
        if verifiesServer { authorities = try Self.authorities(configuration, authorityFile) }
        minimumVersion = Self.version(configuration.minimumVersion)
        maximumVersion = configuration.maximumVersion.map(Self.version)
        identity = try configuration.identity.map { identity throws(TransportError) in try Self.identity(identity) }
        cipherSuites = configuration.cipherSuites
        tls13CipherSuites = configuration.tls13CipherSuites
        revocationLists = try configuration.revocationLists.map { url throws(TransportError) in
            try Self.checkRevocationLists(url)
            return TLSFile.path(of: url)
        }
        requiresStapledStatus = configuration.requiresStapledStatus
        self.pins = pins.map(\.bytes)
    }

    private static func version(_ version: TLSVersion) -> Version { version == .tls13 ? .tls13 : .tls12 }

    private static func checkRevocationLists(_ url: URL) throws(TransportError) {
        let name = "The file of revocation lists"
        let lists = PEMBlock.blocks(in: try TLSFile.read(url, name)).filter { $0.label == "X509 CRL" }
        guard !lists.isEmpty, lists.allSatisfy(\.isRevocationList) else {
            throw TLSFault.error("\(name) contains no revocation list in PEM, or a malformed one")
        }
    }

    // MARK: Identities

    private static func identity(_ identity: TLSIdentity) throws(TransportError) -> Identity {
        let (certificate, bytes) = try part(identity.certificate, "The client's certificate")
        let passphrase = identity.passphrase.map { Array($0.utf8) }
        switch identity.form {
        case .pkcs12:
            // An ASN.1 SEQUENCE.
            guard bytes.first == 0x30 else { throw TLSFault.error("The client's certificate is not PKCS#12") }
            return Identity(.pkcs12, certificate: certificate, passphrase: passphrase)
        case .pem:
            try TLSFile.checkCertificates(bytes, "The client's certificate")
            let key = try identity.key.map { part throws(TransportError) in try Self.part(part, "The client's key") }
            let keys = PEMBlock.blocks(in: key?.bytes ?? bytes).filter(\.isKey)
            guard let first = keys.first else { throw TLSFault.error("The client's key has no private key in PEM") }
            guard !first.isEncrypted || passphrase != nil else {
                throw TLSFault.error("The client's key is encrypted, and there is no passphrase")
            }
            return Identity(.pem(key: key?.part), certificate: certificate, passphrase: passphrase)
        }
    }

    private static func part(
        _ part: TLSIdentity.Part,
        _ name: String
    ) throws(TransportError) -> (part: Part, bytes: Data) {
        switch part {
        case .file(let url): (.file(TLSFile.path(of: url)), try TLSFile.read(url, name))
        case .bytes(let bytes): (.bytes(Array(bytes)), bytes)
        }
    }
}
#endif
