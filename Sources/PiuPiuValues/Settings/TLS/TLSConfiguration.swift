/// The TLS settings of a transport, and the certificates it trusts.
///
/// ```swift
/// var tls = TLSConfiguration()
/// tls.authorities = .file(URL(filePath: "/etc/company/authorities.pem"))
/// tls.identity = .pem(certificates: certificates, key: key)
/// tls.pins = ["api.example.com": [try SPKIPin(base64: pin), try SPKIPin(base64: backupPin)]]
/// ```
///
/// If a setting cannot be applied, creating the transport or sending the request fails; the setting is never ignored. The
/// settings of a whole transport also apply to TLS with a proxy, except ``identity``, ``requiresStapledStatus``, and, if the
/// proxy has a ``ProxyServer/authorityFile``, ``revocationLists``. `URLSession` supports none of the settings:
/// ``URLSessionTransport`` refuses requests to which they apply.
public struct TLSConfiguration: Sendable, Hashable {
    /// The authorities that may sign servers' certificates; the system's by default.
    ///
    /// ``TransportConfiguration/certificateAuthorityFile`` replaces the system's authorities if this is
    /// ``TLSAuthorities/system``.
    public var authorities = TLSAuthorities.system
    /// How long the authorities of a file may be kept in memory; ten minutes by default, and 0 to keep none.
    ///
    /// Reading a whole bundle of authorities takes about 20 milliseconds of the network thread's time. The interval is rounded
    /// down to whole seconds.
    public var authorityReloadInterval = Duration.seconds(600)
    /// The client's certificate for servers that request one; `nil` for none.
    public var identity: TLSIdentity?
    /// The accepted public keys of servers, by the host's name or address; hosts without pins may have any key.
    ///
    /// A pin is checked in addition to the certificate. The server's own key must match one of the host's pins; pins of
    /// authorities match nothing. A host should have a backup pin for a key that is not in use yet; otherwise, a lost key makes
    /// it unreachable. The pins apply to each port of the host.
    public var pins: [String: [SPKIPin]] = [:]
    /// The minimum version; TLS 1.2 by default.
    public var minimumVersion = TLSVersion.tls12
    /// The maximum version; `nil` for the newest that the TLS library supports.
    public var maximumVersion: TLSVersion?
    /// The names of the cipher suites of TLS 1.2 to offer, best first, in OpenSSL's spelling; `nil` for the default ones.
    ///
    /// An example is `ECDHE-RSA-AES128-GCM-SHA256`. OpenSSL ignores unknown names; if it knows none of them, every connection
    /// fails.
    public var cipherSuites: [String]?
    /// The names of the cipher suites of TLS 1.3 to offer, best first; `nil` for the default ones.
    ///
    /// An example is `TLS_AES_128_GCM_SHA256` (RFC 8446 §B.4).
    public var tls13CipherSuites: [String]?
    /// A file of revocation lists (PEM, RFC 5280 §5); `nil` for none.
    ///
    /// If set, every certificate of a server must have an authority whose list is in the file and up to date, and the list must
    /// not contain the certificate. Each new connection reads the file and the authorities.
    public var revocationLists: URL?
    /// Whether the server must send a valid OCSP response for its certificate in the handshake (RFC 6066 §8).
    public var requiresStapledStatus = false
    /// Whether the server's certificate is verified.
    public private(set) var verifiesServer = true

    /// Creates the default settings: the system's authorities, TLS 1.2 or newer, and no identity.
    public init() {}

    /// Settings that trust any server: the server's certificate and its name are not verified.
    ///
    /// An attacker between the client and the server can read and change all data. A configuration may use these settings only
    /// for single origins, in ``TransportConfiguration/tlsByOrigin``. Pins are still checked.
    public static var insecurelyWithoutVerification: TLSConfiguration {
        var configuration = TLSConfiguration()
        configuration.verifiesServer = false
        return configuration
    }
}

extension TLSConfiguration: Redacted {
    /// The settings without keys, passphrases and pins.
    package var shown: KeyValuePairs<String, Any> {
        [
            "authorities": authorities, "identity": identity.map { "\($0)" } ?? "none",
            "pinnedHosts": pins.keys.sorted(), "minimumVersion": minimumVersion,
            "maximumVersion": maximumVersion.map { "\($0)" } ?? "the newest",
            "requiresStapledStatus": requiresStapledStatus, "verifiesServer": verifiesServer,
        ]
    }
}

/// A version of TLS.
public enum TLSVersion: Sendable, Hashable, Comparable {
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13
}
