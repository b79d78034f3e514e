#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// No failure of TLS tells a passphrase, a pin or a password of a proxy, however it is shown.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct TLSFailureSecretsTests {
        private typealias Change = (inout TransportConfiguration) throws -> Void

        private let fixture: TLSSettingsFixture
        private var server: TLSReporter { fixture.server }
        private var clients: ClientCertificates { fixture.clients }

        init() throws {
            fixture = try TLSSettingsFixture()
        }

        private func expectSilence(
            _ port: Int? = nil,
            location: SourceLocation = #_sourceLocation,
            _ change: Change
        ) async throws {
            let dispatcher = try fixture.dispatcher(change)
            let url = URL(string: "https://user:\(SecretSearch.secret)@localhost:\(port ?? server.http2)/")
            let error = await #expect(throws: (any Error).self, sourceLocation: location) {
                try await dispatcher.data(from: try #require(url))
            }
            for showing in SecretSearch.showings(of: error as Any) + SecretSearch.showings(of: dispatcher) {
                #expect(!showing.tells, "\(showing)", sourceLocation: location)
            }
        }

        @Test func wrongPassphrases() async throws {
            let secret = SecretSearch.secret
            // The passphrase of none of them.
            let (b, pem) = (clients.file("b.pem"), try clients.data("a.pem"))
            let key = try clients.data("a-encrypted.key")
            for identity: TLSIdentity in [
                .pem(certificates: b, key: clients.file("a-encrypted.key"), passphrase: secret),
                .pem(certificates: pem, key: key, passphrase: secret + "x"),
                .pkcs12(clients.file("a.p12"), passphrase: "x" + secret),
                .pkcs12(try clients.data("a.p12"), passphrase: secret + secret),
                .pkcs12(Data(secret.utf8), passphrase: secret),
                .pem(certificates: Data(secret.utf8), key: Data(secret.utf8), passphrase: secret),
                .pem(certificates: pem, key: key, passphrase: secret + "\0"),
            ] {
                try await expectSilence(server.strict) { $0.tls.identity = identity }
            }
        }

        @Test func otherPins() async throws {
            let bytes = Array(SecretSearch.secret.utf8)
            let pin = try SPKIPin(digest: Data((0..<SPKIPin.length).map { bytes[$0 % bytes.count] }))
            try await expectSilence { $0.tls.pins = ["localhost": [pin]] }
            try await expectSilence { $0.tls.pins = ["localhost": [pin], "LOCALHOST.": [pin]] }
        }

        @Test func proxiesThatAreNone() async throws {
            for kind in ProxyServer.Kind.allCases where kind != .socks4 && kind != .socks4a {
                let proxy = try ProxyServer(
                    kind,
                    host: "localhost",
                    port: server.http2,
                    user: "user",
                    password: SecretSearch.secret
                )
                let dispatcher = URLRequestDispatcher.forTests { $0.transport.proxy = .server(proxy) }
                for url in ["https://elsewhere.test/", "http://elsewhere.test/"] {
                    let result = await Result { try await dispatcher.data(from: Fixture.url(url)) as Any }
                    for showing in SecretSearch.showings(of: result) { #expect(!showing.tells, "\(showing)") }
                }
            }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ operation: () async throws -> Success) async {
        do { self = .success(try await operation()) } catch { self = .failure(error) }
    }
}
#endif
