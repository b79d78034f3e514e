#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

extension TrustNetworkTests {
    /// Versions and cipher suites, against nginx.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct TLSVersionTests {
        private let fixture: TLSSettingsFixture
        private var server: TLSReporter { fixture.server }

        init() throws {
            fixture = try TLSSettingsFixture()
        }

        private func dispatcher(_ configure: (inout TLSConfiguration) throws -> Void) rethrows -> URLRequestDispatcher {
            try fixture.dispatcher { try configure(&$0.tls) }
        }

        @Test func theVersionsAreThoseOfTheConfiguration() async throws {
            #expect(try await fixture.report(fixture.dispatcher(), server.http2).version == "TLSv1.3")
            let older = dispatcher { $0.maximumVersion = .tls12 }
            #expect(try await fixture.report(older, server.http2).version == "TLSv1.2")
            #expect(try await fixture.fault(older, server.tls13).code == .tls)
            let newer = dispatcher { $0.minimumVersion = .tls13 }
            #expect(try await fixture.report(newer, server.http2).version == "TLSv1.3")
            #expect(try await fixture.fault(newer, server.tls12).code == .tls)
            let both = dispatcher { ($0.minimumVersion, $0.maximumVersion) = (.tls12, .tls13) }
            #expect(try await fixture.report(both, server.tls12).version == "TLSv1.2")
            #expect(try await fixture.report(both, server.tls13).version == "TLSv1.3")
        }

        @Test(arguments: ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384"])
        func theSuiteOfTLS12IsTheChosenOne(_ suite: String) async throws {
            let dispatcher = dispatcher { $0.cipherSuites = [suite] }
            #expect(try await fixture.report(dispatcher, server.tls12).suite == suite)
            // TLS 1.3 has suites of its own.
            #expect(try await fixture.report(dispatcher, server.tls13).version == "TLSv1.3")
        }

        @Test(arguments: ["TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"])
        func theSuiteOfTLS13IsTheChosenOne(_ suite: String) async throws {
            let dispatcher = dispatcher { $0.tls13CipherSuites = [suite] }
            #expect(try await fixture.report(dispatcher, server.http2).suite == suite)
        }

        @Test func suitesThatNobodyKnowsMakeNoConnection() async throws {
            let older = dispatcher { $0.cipherSuites = ["NO-SUCH-SUITE"] }
            #expect(try await fixture.fault(older, server.http2).code == .tls)
            let newer = dispatcher {
                $0.tls13CipherSuites = ["TLS_NO_SUCH_SUITE"]
                $0.minimumVersion = .tls13
            }
            #expect(try await fixture.fault(newer, server.http2).code == .tls)
        }

        @Test(
            "Streams and requests share a connection, whatever the versions",
            arguments: [nil, .tls12, .tls13] as [TLSVersion?]
        )
        func streamsAndRequests(_ maximum: TLSVersion?) async throws {
            let dispatcher = dispatcher { $0.maximumVersion = maximum }
            func stream() async throws -> TLSReporter.Report {
                let response = try await dispatcher.stream(for: URLRequest(url: server.url(server.http2)))
                let text = String(decoding: try await response.data.collect(upTo: 10_000), as: UTF8.self)
                return try #require(TLSReporter.Report(text))
            }
            // Each may find the connection of the other idle.
            for _ in 0..<2 {
                let streamed = try await stream()
                let collected = try await fixture.report(dispatcher, server.http2)
                #expect(streamed.http == "HTTP/2.0" && collected.http == "HTTP/2.0")
                #expect(streamed.connection == collected.connection)
                #expect(try await stream().connection == streamed.connection)
            }
        }
    }
}
#endif
