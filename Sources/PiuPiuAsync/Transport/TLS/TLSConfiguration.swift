/// How a transport sets up TLS, and whom it trusts.
///
/// ```swift
/// var tls = TLSConfiguration()
/// tls.authorities = .file(URL(filePath: "/etc/company/authorities.pem"))
/// tls.identity = .pem(certificates: certificates, key: key)
/// tls.pins = ["api.example.com": [try SPKIPin(base64: pin), try SPKIPin(base64: backupPin)]]
/// ```
///
/// A setting that cannot be applied is an error when the transport is created, or before the request is sent, and never
/// ignored. Those of a whole transport hold for TLS to a proxy, too, except ``identity`` and ``requiresStapledStatus``, and
/// ``revocationLists`` if it has a ``ProxyServer/authorityFile``. `URLSession` takes none of the settings: ``URLSessionTransport`` refuses requests to which they apply.
public struct TLSConfiguration: Sendable, Hashable {
    /// The authorities that servers' certificates may be signed by; the system's by default.
    ///
    /// ``TransportConfiguration/certificateAuthorityFile`` takes the place of the system's authorities wherever this is
    /// ``TLSAuthorities/system``.
    public var authorities = TLSAuthorities.system
    /// How long the authorities of a file may be kept in memory; ten minutes by default, and 0 to keep none.
    ///
    /// Reading a whole bundle of authorities takes about 20 milliseconds of the network thread's time. Whole seconds
    /// count.
    public var authorityReloadInterval = Duration.seconds(600)
    /// The client's certificate for servers that ask for one; `nil` for none.
    public var identity: TLSIdentity?
    /// The public keys that servers may have, for each name or address of a host; hosts without pins may have any.
    ///
    /// A pin is checked in addition to the certificate. The server's own key must be one of the host's pins; pins of
    /// authorities match nothing. A host should have a backup pin, of a key that is not in use yet, or a lost key makes
    /// it unreachable. Each port of the host has the pins.
    public var pins: [String: [SPKIPin]] = [:]
    /// The oldest version to use; TLS 1.2 by default.
    public var minimumVersion = TLSVersion.tls12
    /// The newest version to use; `nil` for the newest that the TLS library knows.
    public var maximumVersion: TLSVersion?
    /// The names of the cipher suites of TLS 1.2 to offer, best first, in OpenSSL's spelling; `nil` for the usual ones.
    ///
    /// An example is `ECDHE-RSA-AES128-GCM-SHA256`. OpenSSL leaves out those that it does not know; if it knows none, no
    /// connection is made.
    public var cipherSuites: [String]?
    /// The names of the cipher suites of TLS 1.3 to offer, best first; `nil` for the usual ones.
    ///
    /// An example is `TLS_AES_128_GCM_SHA256` (RFC 8446 §B.4).
    public var tls13CipherSuites: [String]?
    /// A file of revocation lists (PEM, RFC 5280 §5); `nil` for none.
    ///
    /// With it, every certificate of a server must have an authority whose list is in the file and not out of date, and
    /// must not be in the list. Each new connection reads the file, and the authorities too.
    public var revocationLists: URL?
    /// Whether the server must send a valid OCSP response for its certificate in the handshake (RFC 6066 §8).
    public var requiresStapledStatus = false
    /// Whether the server's certificate is verified.
    public private(set) var verifiesServer = true

    /// Creates the usual settings: the system's authorities, TLS 1.2 or newer, and no identity.
    public init() {}

    /// Settings that trust anyone: the server's certificate and its name are not verified.
    ///
    /// Whoever is between the client and the server can read and change everything. This is accepted only for single
    /// origins, in ``TransportConfiguration/tlsByOrigin``. Pins are still checked.
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
