#if os(Linux)
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

extension ProxyNetworkTests {
    /// TLS to a proxy has the transport's settings, and none of an origin's; nginx is the proxy.
    @Suite(
        .enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need),
        .enabled(if: (try? CurlLibrary.shared.get().supportsHTTPSProxies) ?? false, "proxies over TLS are needed")
    )
    struct ProxyTLSTests {
        private let fixture: TLSSettingsFixture
        private var server: TLSReporter { fixture.server }

        init() throws {
            fixture = try TLSSettingsFixture()
        }

        private func report(
            _ kind: TransportKind,
            _ port: Int,
            authority: URL? = nil,
            _ configure: (inout TransportConfiguration) throws -> Void
        ) async throws -> TLSReporter.Report {
            let proxy = try ProxyServer(.https, host: "localhost", port: port, authorityFile: authority)
            var transport = TransportConfiguration(proxy: .server(proxy))
            try configure(&transport)
            let dispatcher = try URLRequestDispatcher.forTests(over: kind) { $0.transport = transport }
            let response = try await dispatcher.data(from: Fixture.url("http://elsewhere.test/"))
            return try #require(TLSReporter.Report(try response.decodeString()))
        }

        private func expectRefusal(
            _ kind: TransportKind,
            _ port: Int,
            authority: URL? = nil,
            location: SourceLocation = #_sourceLocation,
            _ configure: (inout TransportConfiguration) throws -> Void
        ) async {
            let error = await #expect(throws: TransportError.self, sourceLocation: location) {
                try await report(kind, port, authority: authority, configure)
            }
            #expect(error?.code == .proxy || error?.code == .tls, "\(error as Any)", sourceLocation: location)
        }

        @Test(arguments: TransportKind.allCases)
        func theAuthoritiesAreThoseOfTheTransport(_ kind: TransportKind) async throws {
            let (servers, others) = (try Data(contentsOf: server.authority), try fixture.clients.data("clients.pem"))
            _ = try await report(kind, server.http2) { $0.tls.authorities = .certificates(servers) }
            _ = try await report(kind, server.http2) { $0.tls.authorities = .file(server.authority) }
            _ = try await report(kind, server.http2) { $0.certificateAuthorityFile = server.authority }
            _ = try await report(kind, server.http2, authority: server.authority) {
                $0.tls.authorities = .certificates(others)
            }
            await expectRefusal(kind, server.http2) { $0.tls.authorities = .certificates(others) }
            await expectRefusal(kind, server.http2) { _ in }
            await expectRefusal(kind, server.http2, authority: fixture.clients.file("clients.pem")) {
                $0.tls.authorities = .certificates(servers)
            }
        }

        @Test(arguments: TransportKind.allCases)
        func theVersionsAreThoseOfTheTransport(_ kind: TransportKind) async throws {
            func with(_ change: @escaping (inout TLSConfiguration) -> Void) -> (inout TransportConfiguration) -> Void {
                {
                    $0.certificateAuthorityFile = server.authority
                    change(&$0.tls)
                }
            }
            await expectRefusal(kind, server.tls12, with { $0.minimumVersion = .tls13 })
            await expectRefusal(kind, server.tls13, with { $0.maximumVersion = .tls12 })
            let older = try await report(
                kind,
                server.http2,
                with { $0.cipherSuites = ["ECDHE-ECDSA-AES256-GCM-SHA384"] }
            )
            #expect(older.version == "TLSv1.3")
            let suite = "TLS_CHACHA20_POLY1305_SHA256"
            #expect(try await report(kind, server.http2, with { $0.tls13CipherSuites = [suite] }).suite == suite)
        }

        @Test(arguments: TransportKind.allCases)
        func pinsAndListsOfRevokedCertificatesHold(_ kind: TransportKind) async throws {
            let pin = try SPKIPin(digest: Data(repeating: 7, count: 32))
            await expectRefusal(kind, server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.pins = ["LOCALHOST.": [pin]]
            }
            await expectRefusal(kind, server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.revocationLists = fixture.clients.file("good.crl")
            }
            _ = try await report(kind, server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.revocationLists = fixture.clients.file("none.crl")
                $0.tls.pins = ["127.0.0.1": [pin], "elsewhere.test": [pin]]
            }
        }

        @Test(arguments: TransportKind.allCases)
        func theClientsCertificateIsNotForTheProxy(_ kind: TransportKind) async throws {
            let report = try await report(kind, server.http2) {
                $0.certificateAuthorityFile = server.authority
                $0.tls.identity = fixture.a
            }
            #expect(report.client == "")
        }

        @Test(arguments: TransportKind.allCases)
        func anUnverifiedOriginDoesNotMakeTheProxyUnverified(_ kind: TransportKind) async throws {
            await expectRefusal(kind, server.selfSigned) {
                $0.tlsByOrigin[Fixture.url("https://localhost:\(server.selfSigned)")] = .insecurelyWithoutVerification
                $0.tlsByOrigin[Fixture.url("https://elsewhere.test")] = .insecurelyWithoutVerification
            }
            let proxy = try ProxyServer(.https, host: "localhost", port: server.selfSigned)
            let dispatcher = try URLRequestDispatcher.forTests(over: kind) {
                $0.transport.proxy = .server(proxy)
                $0.transport.tlsByOrigin[Fixture.url("https://elsewhere.test")] = .insecurelyWithoutVerification
            }
            await expect(.proxy) { try await dispatcher.data(from: Fixture.url("https://elsewhere.test/")) }
        }
    }
}
#endif
