#if os(Linux)
/// The settings of TLS connections: the files and bytes to load, and the checks.
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

    /// The authorities to trust: those in all of the files, folders and bytes.
    package struct Authorities: Sendable {
        /// The paths of files in PEM.
        package var files: [String] = []
        /// The paths of folders whose certificates `openssl rehash` named.
        package var folders: [String] = []
        /// Certificates in PEM.
        package var certificates: [[UInt8]] = []
        /// How long the authorities may stay in memory, in nanoseconds; 0 to read them for each connection, `.max` to read them
        /// once.
        package var lifetime = Int64.max

        /// Creates an empty list, which trusts no server.
        package init() {}
    }

    /// The client's certificate and its key.
    package struct Identity: Sendable {
        /// How the certificate and the key are encoded.
        package enum Form: Sendable {
            /// In PEM; the key is a separate part, or `nil` if it is stored with the certificate.
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

        /// Creates an identity from a certificate, followed by those of intermediate authorities.
        package init(_ form: Form, certificate: Part, passphrase: [UInt8]?) {
            self.form = form
            self.certificate = certificate
            self.passphrase = passphrase
        }

        /// Whether a part of the identity is in a file, which can be replaced.
        package var isInFiles: Bool {
            if case .file = certificate { return true }
            if case .pem(key: .file) = form { return true }
            return false
        }
    }

    /// The authorities to trust; none by default.
    package var authorities = Authorities()
    /// The client's certificate; `nil` for none.
    ///
    /// A certificate in files is read for each connection, and its connections resume no sessions.
    package var identity: Identity?
    /// The oldest version to use.
    package var minimumVersion = Version.tls12
    /// The newest version to use; `nil` for the newest that OpenSSL knows.
    package var maximumVersion: Version?
    /// The cipher suites of TLS 1.2, in OpenSSL's spelling; `nil` for the defaults.
    package var cipherSuites: [String]?
    /// The cipher suites of TLS 1.3; `nil` for the defaults.
    package var tls13CipherSuites: [String]?
    /// The path of a file of revocation lists, which is read for each connection; `nil` for none.
    package var revocationLists: String?
    /// Whether the server must staple a valid OCSP response.
    package var requiresStapledStatus = false
    /// Whether the server's certificate and name are verified.
    package var verifiesServer = true
    /// The SHA-256 digests of the public keys that the server may have; empty for any key.
    package var pins: [[UInt8]] = []
    /// The protocols to offer (ALPN), best first; empty to offer none.
    package var applicationProtocols = ["http/1.1"]

    /// Creates settings that trust no server.
    package init() {}
}

extension TLSSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The settings without secrets.
    package var description: String {
        "TLSSettings(minimumVersion: \(minimumVersion), verifiesServer: \(verifiesServer))"
    }

    /// The settings without secrets.
    package var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TLSSettings.Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text without the certificate, the key and the passphrase.
    package var description: String { "TLSSettings.Identity" }

    /// A text without the certificate, the key and the passphrase.
    package var debugDescription: String { description }

    /// An empty mirror, so that `dump` shows no secrets.
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

    /// An empty mirror, so that `dump` shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
