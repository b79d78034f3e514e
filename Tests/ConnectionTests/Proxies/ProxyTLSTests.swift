#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

extension ProxyNetworkTests {
    /// TLS to a proxy has the transport's settings, and none of an origin's; nginx is the proxy.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct ProxyTLSTests {
        private let fixture: TLSSettingsFixture
        private var server: TLSReporter { fixture.server }

        init() throws {
            fixture = try TLSSettingsFixture()
        }

        private func report(
            _ port: Int,
            authority: URL? = nil,
            _ configure: (inout TransportConfiguration) throws -> Void
        ) async throws -> TLSReporter.Report {
            let proxy = try ProxyServer(.https, host: "localhost", port: port, authorityFile: authority)
            var transport = TransportConfiguration(proxy: .server(proxy))
            try configure(&transport)
            let dispatcher = URLRequestDispatcher.forTests { $0.transport = transport }
            let response = try await dispatcher.data(from: Fixture.url("http://elsewhere.test/"))
            return try #require(TLSReporter.Report(try response.decodeString()))
        }

        private func expectRefusal(
            _ port: Int,
            authority: URL? = nil,
            location: SourceLocation = #_sourceLocation,
            _ configure: (inout TransportConfiguration) throws -> Void
        ) async {
            let error = await #expect(throws: TransportError.self, sourceLocation: location) {
                try await report(port, authority: authority, configure)
            }
            #expect(error?.code == .proxy, "\(error as Any)", sourceLocation: location)
        }

        @Test func theAuthoritiesAreThoseOfTheTransport() async throws {
            let (servers, others) = (try Data(contentsOf: server.authority), try fixture.clients.data("clients.pem"))
            _ = try await report(server.http2) { $0.tls.authorities = .certificates(servers) }
            _ = try await report(server.http2) { $0.tls.authorities = .file(server.authority) }
            _ = try await report(server.http2) { $0.certificateAuthorityFile = server.authority }
            _ = try await report(server.http2, authority: server.authority) {
                $0.tls.authorities = .certificates(others)
            }
            await expectRefusal(server.http2) { $0.tls.authorities = .certificates(others) }
            await expectRefusal(server.http2) { _ in }
            await expectRefusal(server.http2, authority: fixture.clients.file("clients.pem")) {
                $0.tls.authorities = .certificates(servers)
            }
        }

        @Test func theVersionsAreThoseOfTheTransport() async throws {
            func with(_ change: @escaping (inout TLSConfiguration) -> Void) -> (inout TransportConfiguration) -> Void {
                {
                    $0.certificateAuthorityFile = server.authority
                    change(&$0.tls)
                }
            }
            await expectRefusal(server.tls12, with { $0.minimumVersion = .tls13 })
            await expectRefusal(server.tls13, with { $0.maximumVersion = .tls12 })
            let older = try await report(
                server.http2,
                with { $0.cipherSuites = ["ECDHE-ECDSA-AES256-GCM-SHA384"] }
            )
            #expect(older.version == "TLSv1.3")
            let suite = "TLS_CHACHA20_POLY1305_SHA256"
            #expect(try await report(server.http2, with { $0.tls13CipherSuites = [suite] }).suite == suite)
        }

        @Test func pinsAndListsOfRevokedCertificatesHold() async throws {
            let pin = try SPKIPin(digest: Data(repeating: 7, count: 32))
            await expectRefusal(server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.pins = ["LOCALHOST.": [pin]]
            }
            await expectRefusal(server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.revocationLists = fixture.clients.file("good.crl")
            }
            _ = try await report(server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.revocationLists = fixture.clients.file("none.crl")
                $0.tls.pins = ["127.0.0.1": [pin], "elsewhere.test": [pin]]
            }
        }

        @Test func theClientsCertificateIsNotForTheProxy() async throws {
            let report = try await report(server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.identity = fixture.a
            }
            #expect(report.client == "")
        }

        @Test func anUnverifiedOriginDoesNotMakeTheProxyUnverified() async throws {
            await expectRefusal(server.selfSigned) {
                $0.tlsByOrigin[Fixture.url("https://localhost:\(server.selfSigned)")] = .insecurelyWithoutVerification
                $0.tlsByOrigin[Fixture.url("https://elsewhere.test")] = .insecurelyWithoutVerification
            }
            let proxy = try ProxyServer(.https, host: "localhost", port: server.selfSigned)
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.proxy = .server(proxy)
                $0.transport.tlsByOrigin[Fixture.url("https://elsewhere.test")] = .insecurelyWithoutVerification
            }
            await expect(.proxy) { try await dispatcher.data(from: Fixture.url("https://elsewhere.test/")) }
        }
    }
}
#endif
