#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues
@testable import PiuPiuCurl

extension LibcurlNetworkTests {
    /// No TLS setting is lost on the way over QUIC, nor by the fallback to TCP.
    @Suite(
        .enabled(
            if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable && TLSReporter.shared != nil,
            "libcurl 8.23 with HTTP/3, openssl, nginx and aioquic for python3 are needed"
        )
    )
    struct HTTP3TrustTests {
        private static let uses = [HTTP3Use.preferred, .required]

        private func dispatcher(
            _ use: HTTP3Use,
            _ configure: (inout TransportConfiguration) throws -> Void
        ) rethrows -> URLRequestDispatcher {
            var transport = TransportConfiguration(proxy: .none)
            transport.http3 = use
            try configure(&transport)
            return .overLibcurl { $0.transport = transport }
        }

        private func expectRefusal(
            _ use: HTTP3Use,
            _ code: TransportError.Code = .tls,
            certificate: String = "good",
            location: SourceLocation = #_sourceLocation,
            _ configure: (inout TransportConfiguration, HTTP3Server) throws -> Void
        ) async throws {
            let server = try HTTP3Server(stream: .http1, certificate: certificate)
            let dispatcher = try dispatcher(use) {
                $0.certificateAuthorityFile = server.authority
                try configure(&$0, server)
            }
            let error = await #expect(throws: TransportError.self, sourceLocation: location) {
                try await dispatcher.data(from: server.url("/hello"))
            }
            #expect(error?.code == code, "\(error as Any)", sourceLocation: location)
            #expect(server.requests.isEmpty, sourceLocation: location)
        }

        @Test(arguments: uses) func pinsAreChecked(_ use: HTTP3Use) async throws {
            let pin = try SPKIPin(digest: Data(repeating: 7, count: 32))
            try await expectRefusal(use) { configuration, _ in configuration.tls.pins = ["localhost": [pin]] }
            try await expectRefusal(use) { configuration, server in
                var own = TLSConfiguration.insecurelyWithoutVerification
                own.pins = ["localhost": [pin]]
                configuration.tlsByOrigin[server.url("/")] = own
            }
        }

        @Test(arguments: uses) func revokedCertificatesAreRefused(_ use: HTTP3Use) async throws {
            let clients = try ClientCertificates.shared.get()
            try await expectRefusal(use) { configuration, _ in
                configuration.tls.revocationLists = clients.file("good.crl")
            }
            let server = try HTTP3Server()
            let dispatcher = dispatcher(use) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.revocationLists = clients.file("none.crl")
            }
            #expect(try await dispatcher.data(from: server.url("/hello")).head?.httpVersion == "HTTP/3")
        }

        @Test(arguments: uses) func aStapledAnswerCanBeRequired(_ use: HTTP3Use) async throws {
            try await expectRefusal(use) { configuration, _ in configuration.tls.requiresStapledStatus = true }
        }

        @Test(arguments: uses) func authoritiesInMemoryAreTrustedAloneAndOthersAreNot(_ use: HTTP3Use) async throws {
            let clients = try ClientCertificates.shared.get()
            try await expectRefusal(use) { configuration, _ in
                configuration.certificateAuthorityFile = nil
                configuration.tls.authorities = .certificates(try clients.data("clients.pem"))
            }
            let server = try HTTP3Server()
            let dispatcher = try dispatcher(use) {
                $0.tls.authorities = .certificates(try Data(contentsOf: server.authority))
            }
            #expect(try await dispatcher.data(from: server.url("/hello")).head?.httpVersion == "HTTP/3")
        }

        @Test(arguments: uses) func onlyTheOriginThatIsNamedGoesUnverified(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(certificate: "selfsigned")
            let dispatcher = dispatcher(use) {
                $0.tlsByOrigin[server.url("/")] = .insecurelyWithoutVerification
            }
            #expect(try await dispatcher.data(from: server.url("/hello")).head?.httpVersion == "HTTP/3")
            let other = Fixture.url("https://127.0.0.1:\(server.port)/hello")
            await #expect(throws: TransportError.self) { try await dispatcher.data(from: other) }
            #expect(server.requests.count == 1)
        }

        @Test func anOlderVersionIsNotExceeded() async throws {
            try await expectRefusal(.required, .unsupported) { configuration, _ in
                configuration.tls.maximumVersion = .tls12
            }
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = dispatcher(.preferred) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.maximumVersion = .tls12
            }
            #expect(try await dispatcher.data(from: server.url("/hello")).head?.httpVersion != "HTTP/3")
        }

        @Test("What begins a connection of TCP is not left out over QUIC")
        func thePROXYProtocol() async throws {
            let server = try HTTP3Server()
            let dispatcher = dispatcher(.required) {
                $0.certificateAuthorityFile = server.authority
                $0.network.haproxyHeader = HAProxyHeader()
            }
            await #expect(throws: TransportError.self) { try await dispatcher.data(from: server.url("/hello")) }
            #expect(server.requests.isEmpty)
        }

        @Test func aUnixSocketIsNotPassedBy() async throws {
            let server = try HTTP3Server()
            for use in Self.uses {
                let dispatcher = dispatcher(use) {
                    $0.certificateAuthorityFile = server.authority
                    $0.routes[server.url("/")] = .unixSocket(path: "/nonexistent/socket")
                }
                await #expect(throws: TransportError.self) { try await dispatcher.data(from: server.url("/hello")) }
            }
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: uses) func aRouteLeadsToTheServerThatItNames(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server()
            let dispatcher = dispatcher(use) {
                $0.certificateAuthorityFile = server.authority
                $0.routes[Fixture.url("https://localhost:9")] = .host("127.0.0.1", port: server.port)
                $0.routes[Fixture.url("https://elsewhere.test:9")] = .host("127.0.0.1", port: server.port)
            }
            let response = try await dispatcher.data(from: Fixture.url("https://localhost:9/hello"))
            #expect(response.head?.httpVersion == "HTTP/3")
            let other = Fixture.url("https://elsewhere.test:9/hello")
            await expect(.tls) { try await dispatcher.data(from: other) }
            #expect(server.requests.count == 1)
        }

        @Test(arguments: uses) func aLimitOfTCPDoesNotKeepQUICFromWorking(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server(stream: .http1)
            let dispatcher = dispatcher(use) {
                $0.certificateAuthorityFile = server.authority
                $0.network.userTimeout = .seconds(20)
                $0.network.keepAlive = TCPKeepAlive()
            }
            _ = try await dispatcher.data(from: server.url("/hello"))
        }
    }
}
#endif
