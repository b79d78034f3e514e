#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine
import TestSupport

/// What each server does, and what the error says.
extension ConnectionNetworkTests.TLSFailureTests {
    static let weak = "The server uses a key, a signature or a protocol feature that is too weak"
    static let requires = "The server requires a client certificate"
    static let refused = "The server refused the client certificate"

    /// The rows of certificates that are too weak for the security level of today's OpenSSL.
    ///
    /// OpenSSL 1.1.1 takes the level from a file of the system, and no setting of a transport names one.
    static let weakRows: [Row] = {
        let version = try? OpenSSLLibrary.shared.get().versionNumber
        guard let version, version >= 0x3000_0000 else { return [] }
        return ["smallKey", "sha1"].map { Row(server: $0, kind: .weak, message: "\(weak) (\($0))", depth: 0) }
    }()

    static let certificateRows: [Row] = [
        Row(
            server: "expired",
            kind: .expired,
            message: "The server's certificate expired on 2021-01-01 00:00:00 UTC",
            depth: 0
        ),
        Row(
            server: "expiredIntermediate",
            kind: .expired,
            message: "An authority's certificate in the server's chain (Old intermediate) expired on "
                + "2022-02-02 02:02:02 UTC",
            depth: 1
        ),
        Row(
            server: "notYetValid",
            kind: .notYetValid,
            message: "The server's certificate is not valid before 2039-01-01 00:00:00 UTC",
            depth: 0
        ),
        Row(
            server: "threeNames",
            kind: .wrongHost,
            message: "The server's certificate is for a.test, b.test and c.test, not for localhost"
        ),
        Row(
            server: "wildcard",
            kind: .wrongHost,
            message: "The server's certificate is for *.example.test, not for localhost"
        ),
        Row(
            server: "otherAddress",
            kind: .wrongHost,
            message: "The server's certificate is for 192.0.2.7 and 2001:db8:0:0:0:0:0:1, not for 127.0.0.1",
            host: "127.0.0.1"
        ),
        Row(
            server: "commonName",
            kind: .wrongHost,
            message: "The server's certificate is for elsewhere.test, not for localhost"
        ),
        Row(
            server: "hugeNames",
            kind: .wrongHost,
            message: "The server's certificate is for "
                + (0..<8).map { "\(String(repeating: "very-long-label-\($0).", count: 12).prefix(100))…" }
                .joined(separator: ", ").appending(" and 52 more, not for localhost")
        ),
        Row(
            server: "controlCharacters",
            kind: .wrongHost,
            message: #"The server's certificate is for \u{1b}[31mevil.test, not for localhost"#
        ),
        Row(
            server: "controlNames",
            kind: .wrongHost,
            message: #"The server's certificate is for \u{1b}[31mevil.test, not for localhost"#
        ),
        Row(
            server: "unknownAuthority",
            kind: .unknownAuthority,
            message: "The server's certificate leads to an authority that is not trusted here (Unknown root)",
            depth: 0
        ),
        Row(
            server: "unknownRootSent",
            kind: .unknownAuthority,
            message: "The server's certificate leads to an authority that is not trusted here (Unknown root)",
            depth: 1
        ),
        Row(
            server: "missingIntermediate",
            kind: .unknownAuthority,
            message: "The server's certificate leads to an authority that is not trusted here (Intermediate)",
            depth: 0
        ),
        Row(
            server: "selfSigned",
            kind: .selfSigned,
            message: "The server signed its certificate itself (localhost)",
            depth: 0
        ),
        Row(
            server: "noAuthority",
            kind: .invalidChain,
            message: "The server's certificates do not form a valid chain: it has the certificate (No authority)",
            depth: 1
        ),
        Row(
            server: "clientOnly",
            kind: .wrongPurpose,
            message: "The server's certificate may not be used for a server (clientOnly)",
            depth: 0
        ),
        Row(
            server: "revoked",
            kind: .revoked,
            message: "The server's certificate was revoked",
            depth: 0,
            configure: { $0.tls.revocationLists = $1.servers.revocations }
        ),
        Row(
            server: "good",
            kind: .revocationUnknown,
            message: "The list of revoked certificates says nothing about the server's certificate (PiuPiu root)",
            depth: 0,
            configure: { $0.tls.revocationLists = $1.servers.otherRevocations },
            note: "with another authority's list"
        ),
        Row(
            server: "good",
            kind: .statusMissing,
            message: "The server did not prove that its certificate is not revoked",
            configure: { configuration, _ in configuration.tls.requiresStapledStatus = true },
            note: "without OCSP"
        ),
        Row(
            server: "stapled",
            kind: .statusRevoked,
            message: "The server's certificate was revoked by its authority",
            configure: { configuration, _ in configuration.tls.requiresStapledStatus = true }
        ),
        Row(
            server: "good",
            kind: .pinMismatch,
            message: "The server's key is not the pinned one",
            configure: { configuration, _ in configuration.tls.pins = try otherPins() },
            note: "with another pin"
        ),
    ]

    static let handshakeRows: [Row] = [
        Row(
            server: "tls10",
            kind: .protocolVersion,
            message: "The server supports no version of TLS that is allowed here",
            alert: 70
        ),
        Row(
            server: "tls11",
            kind: .protocolVersion,
            message: "The server supports no version of TLS that is allowed here",
            alert: 70
        ),
        Row(
            server: "noCipher",
            kind: .noCommonCipher,
            message: "The server and this client have no cipher suite in common",
            alert: 40
        ),
        Row(server: "wantsCertificate.tls1_2", kind: .clientCertificateRequired, message: requires, alert: 40),
        Row(server: "wantsCertificate.tls1_3", kind: .clientCertificateRequired, message: requires, alert: 116),
        Row(
            server: "wantsCertificate.tls1_2",
            kind: .clientCertificateRefused,
            message: refused + " (unknown_ca)",
            alert: 48,
            configure: { $0.tls.identity = identity($1.servers.stranger) },
            note: "and gets a stranger's"
        ),
        Row(
            server: "wantsCertificate.tls1_3",
            kind: .clientCertificateRefused,
            message: refused + " (unknown_ca)",
            alert: 48,
            configure: { $0.tls.identity = identity($1.servers.stranger) },
            note: "and gets a stranger's"
        ),
        Row(
            server: "wantsCertificate.tls1_2",
            kind: .clientCertificateRefused,
            message: refused + " (certificate_expired)",
            alert: 45,
            configure: { $0.tls.identity = identity($1.servers.expiredClient) },
            note: "and gets an expired one"
        ),
        Row(
            server: "wantsCertificate.tls1_3",
            kind: .clientCertificateRefused,
            message: refused + " (certificate_expired)",
            alert: 45,
            configure: { $0.tls.identity = identity($1.servers.expiredClient) },
            note: "and gets an expired one"
        ),
    ]
}
#endif
