#if os(Linux)
/// What TLS connections are set up with: what to load, and what to check.
///
/// Descriptions show neither keys, passphrases nor pins.
package struct TLSSettings: Sendable {
    /// A version of TLS, by its number in the protocol.
    package enum Version: Int, Sendable, Comparable {
        case tls12 = 0x0303
        case tls13 = 0x0304

        package static func < (lhs: Version, rhs: Version) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// A file, or bytes in memory.
    package enum Part: Sendable {
        /// The path of a file.
        case file(String)
        case bytes([UInt8])
    }

    /// The authorities to trust: those of all files, folders and bytes together.
    package struct Authorities: Sendable {
        /// The paths of files in PEM.
        package var files: [String] = []
        /// The paths of folders whose certificates `openssl rehash` named.
        package var folders: [String] = []
        /// Certificates in PEM.
        package var certificates: [[UInt8]] = []
        /// How long they may be kept in memory, in nanoseconds; 0 to read them for each connection, `.max` to read them once.
        package var lifetime = Int64.max

        /// Creates a list without authorities, which trusts nobody.
        package init() {}
    }

    /// The client's certificate and its key.
    package struct Identity: Sendable {
        /// How the certificate and the key are encoded.
        package enum Form: Sendable {
            /// In PEM; the key is a part of its own, or with the certificate for `nil`.
            case pem(key: Part?)
            /// In PKCS#12, with the key.
            case pkcs12
        }

        /// How the certificate and the key are encoded.
        package var form: Form
        /// The certificate, followed by those of intermediate authorities.
        package var certificate: Part
        /// The passphrase of the key or of the container; `nil` for none.
        package var passphrase: [UInt8]?

        /// Creates an identity.
        ///
        /// - Parameters:
        ///   - form: How the certificate and the key are encoded.
        ///   - certificate: The certificate, followed by those of intermediate authorities.
        ///   - passphrase: The passphrase; `nil` for none.
        package init(_ form: Form, certificate: Part, passphrase: [UInt8]?) {
            self.form = form
            self.certificate = certificate
            self.passphrase = passphrase
        }

        /// Whether a part of it is in a file, which can be replaced.
        package var isInFiles: Bool {
            if case .file = certificate { return true }
            if case .pem(key: .file) = form { return true }
            return false
        }
    }

    /// The authorities to trust; nobody by default.
    package var authorities = Authorities()
    /// The client's certificate; `nil` for none.
    ///
    /// One in files is read for each connection, and resumes no sessions.
    package var identity: Identity?
    /// The oldest version to use.
    package var minimumVersion = Version.tls12
    /// The newest version to use; `nil` for the newest that OpenSSL knows.
    package var maximumVersion: Version?
    /// The cipher suites of TLS 1.2, in OpenSSL's spelling; `nil` for the usual ones.
    package var cipherSuites: [String]?
    /// The cipher suites of TLS 1.3; `nil` for the usual ones.
    package var tls13CipherSuites: [String]?
    /// The path of a file of revocation lists, which is read for each connection; `nil` for none.
    package var revocationLists: String?
    /// Whether the server must staple a valid OCSP response.
    package var requiresStapledStatus = false
    /// Whether the server's certificate and name are verified.
    package var verifiesServer = true
    /// The SHA-256 digests of public keys that the server may have; empty for any key.
    package var pins: [[UInt8]] = []
    /// The protocols to offer (ALPN), best first; empty to offer none.
    package var applicationProtocols = ["http/1.1"]

    /// Creates settings that trust nobody.
    package init() {}
}

extension TLSSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The settings without secrets.
    package var description: String {
        "TLSSettings(minimumVersion: \(minimumVersion), verifiesServer: \(verifiesServer))"
    }

    /// The settings without secrets.
    package var debugDescription: String { description }

    /// Nothing, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TLSSettings.Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Neither the certificate nor the key nor the passphrase.
    package var description: String { "TLSSettings.Identity" }

    /// Neither the certificate nor the key nor the passphrase.
    package var debugDescription: String { description }

    /// Nothing, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TLSSettings.Part: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path, or the number of bytes.
    package var description: String {
        switch self {
        case .file(let path): path
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }

    /// The path, or the number of bytes.
    package var debugDescription: String { description }

    /// Nothing, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
