#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing
@testable import PiuPiuCurl

extension LibcurlNetworkTests {
    /// Certificates of clients over QUIC.
    @Suite(
        .enabled(
            if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable,
            "libcurl 8.23 with HTTP/3, openssl and aioquic for python3 are needed"
        )
    )
    struct HTTP3IdentityTests {
        private static let uses = [HTTP3Use.preferred, .required]

        private let clients: ClientCertificates

        init() throws {
            clients = try ClientCertificates.shared.get()
        }

        private func pem(_ name: String) -> TLSIdentity {
            .pem(certificates: clients.file("\(name).pem"), key: clients.file("\(name).key"))
        }

        private func dispatcher(
            _ use: HTTP3Use,
            _ server: HTTP3Server,
            _ configure: (inout TransportConfiguration) throws -> Void
        ) rethrows -> URLRequestDispatcher {
            var transport = TransportConfiguration(certificateAuthorityFile: server.authority, proxy: .none)
            transport.http3 = use
            // So long that no busy machine loses the race against TCP.
            transport.network.happyEyeballsDelay = .seconds(20)
            try configure(&transport)
            return .overLibcurl { $0.transport = transport }
        }

        /// The subject of the certificate that a server was shown over HTTP/3.
        private func client(_ dispatcher: URLRequestDispatcher, _ url: URL) async throws -> String {
            let response = try await dispatcher.data(from: url)
            #expect(response.head?.httpVersion == "HTTP/3")
            return try response.decodeString()
        }

        @Test(arguments: uses) func everyFormOfAnIdentityIsSent(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(.asking)
            let secret = SecretSearch.secret
            let forms: [TLSIdentity] = [
                pem("a"), .pem(certificates: try clients.data("a-both.pem")),
                .pem(certificates: clients.file("a.pem"), key: clients.file("a-encrypted.key"), passphrase: secret),
                .pkcs12(clients.file("a.p12"), passphrase: secret),
                .pkcs12(try clients.data("a.p12"), passphrase: secret),
            ]
            for identity in forms {
                let dispatcher = dispatcher(use, server) { $0.tls.identity = identity }
                #expect(try await client(dispatcher, server.url("/client")) == "CN=a", "\(identity)")
            }
            #expect(try await client(dispatcher(use, server) { _ in }, server.url("/client")) == "none")
        }

        @Test(arguments: uses) func eachOriginHasItsOwnIdentity(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(.asking)
            let other = Fixture.url("https://127.0.0.1:\(server.port)")
            let dispatcher = dispatcher(use, server) {
                $0.tls.identity = pem("a")
                var own = TLSConfiguration()
                own.identity = pem("b")
                $0.tlsByOrigin[other] = own
            }
            for _ in 0..<3 {
                #expect(try await client(dispatcher, server.url("/client")) == "CN=a")
                #expect(try await client(dispatcher, other.appending(path: "client")) == "CN=b")
            }
            #expect(server.connections == 2)
        }

        @Test(arguments: uses) func theConnectionOfOneIdentityIsNotThatOfAnother(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(.asking)
            let pem = try clients.data("a-both.pem")
            let dispatcher = dispatcher(use, server) { $0.tls.identity = .pem(certificates: pem) }
            for _ in 0..<2 { #expect(try await client(dispatcher, server.url("/client")) == "CN=a") }
            try dispatcher.reconfigure { $0.tls.identity = self.pem("b") }
            for _ in 0..<2 { #expect(try await client(dispatcher, server.url("/client")) == "CN=b") }
            try dispatcher.reconfigure { $0.tls.identity = nil }
            #expect(try await client(dispatcher, server.url("/client")) == "none")
            #expect(server.connections == 3)
        }

        @Test(arguments: uses) func anIdentityThatIsNoneSendsNothing(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(.asking, stream: .http1)
            let secret = SecretSearch.secret
            for identity: TLSIdentity in [
                .pem(
                    certificates: clients.file("a.pem"),
                    key: clients.file("a-encrypted.key"),
                    passphrase: "x" + secret
                ),
                .pem(certificates: clients.file("b.pem"), key: clients.file("a.key")),
                .pkcs12(try clients.data("a.p12"), passphrase: secret + "x"),
            ] {
                let dispatcher = dispatcher(use, server) { $0.tls.identity = identity }
                let error = try await failure { try await dispatcher.data(from: server.url("/client")) }
                #expect(TransportError.Code.of(error) == .tls, "\(error)")
                #expect((error as? TransportError)?.tlsFailure?.kind == .clientIdentityUnusable, "\(error)")
                expectNoSecret(in: error)
            }
            #expect(server.requests.isEmpty)
        }

        @Test func anAlternativeIsShownTheSameIdentity() async throws {
            let server = try HTTP3Server(.asking, stream: .http1)
            let dispatcher = dispatcher(.altSvc, server) { $0.tls.identity = pem("a") }
            #expect(try await dispatcher.version(server.url("/client", advertising: "h3=\":PORT\"")) == "HTTP/1.1")
            #expect(try await client(dispatcher, server.url("/client")) == "CN=a")
        }
    }
}
#endif
