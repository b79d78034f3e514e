#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine
import TestSupport

@testable import PiuPiuValues

/// What the settings of a client do, and what the error says.
extension ConnectionNetworkTests.TLSFailureTests {
    typealias Configure = @Sendable (inout TransportConfiguration, Material) throws -> Void

    static let settingRows = identityRows + authorityRows + agreementRows + unverifiedRows + spellingRows

    /// The certificate of an identity with a key, its own or another.
    static func identity(_ identity: CertificateForge.Identity, key: URL? = nil) -> TLSIdentity {
        .pem(certificates: identity.certificate, key: key ?? identity.key)
    }

    /// Pins that no server's key has.
    static func otherPins() throws -> [String: [SPKIPin]] {
        ["localhost": [try SPKIPin(digest: Data(count: SPKIPin.length))]]
    }

    // MARK: Identities

    private static func identityRow(
        _ note: String,
        _ flaw: IdentityFlaw,
        server: String = "good",
        _ configure: @escaping Configure
    ) -> Row {
        Row(
            server: server,
            kind: .clientIdentityUnusable,
            message: "The client certificate or its key cannot be used: \(flaw.cause)",
            configure: configure,
            note: note
        )
    }

    private static let identityRows = [
        identityRow("with a key of another certificate", .keyOfAnotherCertificate) {
            $0.tls.identity = identity($1.servers.stranger, key: $1.servers.otherKey)
        },
        // A server that asks for no other certificate does not get to see it either.
        identityRow(
            "and gets none, for its key is another's",
            .keyOfAnotherCertificate,
            server: "wantsCertificate.tls1_2"
        ) {
            $0.tls.identity = identity($1.servers.stranger, key: $1.servers.otherKey)
        },
        identityRow("whose client has lost its key", .unreadableKey) {
            $0.tls.identity = identity($1.servers.stranger, key: try $1.passing($1.servers.stranger.key))
        },
        identityRow("whose client has lost its certificate", .unreadableCertificate) {
            let stranger = $1.servers.stranger
            $0.tls.identity = .pem(certificates: try $1.passing(stranger.certificate), key: stranger.key)
        },
        identityRow("with another passphrase of the key", .wrongPassphrase) {
            let (certificate, key) = ($1.clients.file("a.pem"), $1.clients.file("a-encrypted.key"))
            $0.tls.identity = .pem(certificates: certificate, key: key, passphrase: "another")
        },
        identityRow("with another passphrase of PKCS#12", .wrongPassphrase) {
            $0.tls.identity = .pkcs12(try $1.clients.data("a.p12"), passphrase: "another")
        },
    ]

    // MARK: Authorities

    private static func authorityRow(
        _ note: String,
        _ configure: @escaping Configure
    ) -> Row {
        Row(
            server: "good",
            kind: .authoritiesUnusable,
            message: "The authorities to trust, or the list of revoked certificates, cannot be read",
            configure: configure,
            note: note
        )
    }

    private static let authorityRows = [
        authorityRow("without authorities") { configuration, _ in
            configuration.certificateAuthorityFile = URL(filePath: "/does/not/exist")
        },
        authorityRow("with a file without authorities") { $0.certificateAuthorityFile = $1.servers.otherKey },
        authorityRow("whose client has lost its authorities") { try loseAuthorities(&$0, $1) },
        authorityRow("whose client has lost its list") {
            $0.tls.revocationLists = try $1.passing($1.servers.revocations)
        },
        // The settings of a host with pins are put together at its first request.
        authorityRow("with pins, whose client has lost its authorities") {
            try loseAuthorities(&$0, $1)
            $0.tls.pins = try otherPins()
        },
        authorityRow("with pins, whose client has lost its list") {
            $0.tls.revocationLists = try $1.passing($1.servers.revocations)
            $0.tls.pins = try otherPins()
        },
        authorityRow("whose client has lost its folder") {
            $0.certificateAuthorityFile = nil
            $0.tls.authorities = .folder(try $1.passingFolder($1.servers.authority))
        },
        Row(
            server: "good",
            kind: .unknownAuthority,
            message: "The server's certificate leads to an authority that is not trusted here (PiuPiu root)",
            depth: 0,
            configure: {
                $0.certificateAuthorityFile = nil
                $0.tls.authorities = .certificates(try Data(contentsOf: $1.servers.otherAuthority))
            },
            note: "with another authority in memory"
        ),
    ]

    private static func loseAuthorities(_ configuration: inout TransportConfiguration, _ material: Material) throws {
        configuration.certificateAuthorityFile = nil
        configuration.tls.authorities = .file(try material.passing(material.servers.authority))
    }

    // MARK: Versions and cipher suites

    private static let noCommonVersion = "The server supports no version of TLS that is allowed here"
    private static let noCommonCipher = "The server and this client have no cipher suite in common"

    private static let agreementRows = [
        Row(
            server: "wantsCertificate.tls1_2",
            kind: .protocolVersion,
            message: noCommonVersion,
            alert: 70,
            configure: { configuration, _ in configuration.tls.minimumVersion = .tls13 },
            note: "where only TLS 1.3 is allowed"
        ),
        Row(
            server: "wantsCertificate.tls1_3",
            kind: .protocolVersion,
            message: noCommonVersion,
            alert: 70,
            configure: { configuration, _ in configuration.tls.maximumVersion = .tls12 },
            note: "where only TLS 1.2 is allowed"
        ),
        Row(
            server: "good",
            kind: .noCommonCipher,
            message: noCommonCipher,
            configure: { configuration, _ in configuration.tls.cipherSuites = ["NONE-SUCH"] },
            note: "with an unknown cipher suite"
        ),
        Row(
            server: "good",
            kind: .noCommonCipher,
            message: noCommonCipher,
            configure: { configuration, _ in configuration.tls.tls13CipherSuites = ["TLS_NONE_SUCH"] },
            note: "with an unknown cipher suite of TLS 1.3"
        ),
        Row(
            server: "good",
            kind: .noCommonCipher,
            message: noCommonCipher,
            alert: 40,
            configure: { configuration, _ in
                // The server's key is an elliptic one.
                configuration.tls.cipherSuites = ["ECDHE-RSA-AES128-GCM-SHA256"]
                configuration.tls.maximumVersion = .tls12
            },
            note: "with a cipher suite for other keys"
        ),
    ]

    // MARK: Origins that are not verified

    /// What OpenSSL finds about a certificate that nobody verifies is not why the connection failed.
    private static let unverifiedRows = [
        Row(
            server: "selfSigned",
            kind: .pinMismatch,
            message: "The server's key is not the pinned one",
            configure: { try leaveUnverified("selfSigned", &$0, $1) },
            note: "without verification, with another pin"
        ),
        Row(
            server: "unknownRootSent",
            kind: .pinMismatch,
            message: "The server's key is not the pinned one",
            configure: { try leaveUnverified("unknownRootSent", &$0, $1) },
            note: "without verification, with another pin"
        ),
        Row(
            server: "wantsCertificate.tls1_2",
            kind: .clientCertificateRequired,
            message: requires,
            alert: 40,
            configure: {
                $0.certificateAuthorityFile = $1.servers.otherAuthority
                try leaveUnverified("wantsCertificate.tls1_2", &$0, $1)
            },
            note: "without verification"
        ),
    ]

    private static func leaveUnverified(
        _ server: String,
        _ configuration: inout TransportConfiguration,
        _ material: Material
    ) throws {
        var own = TLSConfiguration.insecurelyWithoutVerification
        own.pins = try otherPins()
        configuration.tlsByOrigin[Fixture.url("https://localhost:\(material.servers.port(server))")] = own
    }

    // MARK: Spellings of a host

    private static let spellingRows = [
        Row(
            server: "commonName",
            kind: .wrongHost,
            message: "The server's certificate is for elsewhere.test, not for localhost",
            spelling: "LocalHost"
        ),
        Row(
            server: "commonName",
            kind: .wrongHost,
            message: "The server's certificate is for elsewhere.test, not for 127.0.0.1",
            host: "127.0.0.1",
            spelling: "127.1"
        ),
    ]
}
#endif
