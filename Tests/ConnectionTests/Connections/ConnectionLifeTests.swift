#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// How long connections to nginx are used again.
    @Suite(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
    struct ConnectionLifeTests {
        private let nginx: NginxVariant

        init() throws {
            nginx = try NginxVariant(server: #"location /connection { return 200 "$connection"; }"#)
        }

        /// Expects nginx to see another connection after some seconds.
        private func expectEnd(
            sourceLocation: SourceLocation = #_sourceLocation,
            _ change: (inout NetworkConfiguration) -> Void
        ) async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = nginx.authority
                $0.transport.http2 = .never
                change(&$0.transport.network)
            }
            func connection(_ port: Int) async throws -> String {
                try await dispatcher.data(from: nginx.url(port, "/connection")).decodeString()
            }
            let ports = [nginx.plain, nginx.http1]
            var last: [String] = []
            for port in ports {
                let start = ContinuousClock.now
                let first = try await connection(port)
                let second = try await connection(port)
                // On a machine that stands still, the first connection may have been too old already.
                if ContinuousClock.now - start < .milliseconds(900) {
                    #expect(first == second, sourceLocation: sourceLocation)
                }
                last.append(second)
            }
            // The time is what is tested.
            try await Task.sleep(for: .milliseconds(2500))
            for (port, last) in zip(ports, last) {
                #expect(try await connection(port) != last, sourceLocation: sourceLocation)
            }
        }

        @Test func aConnectionThatWasIdleForTooLongIsNotUsedAgain() async throws {
            try await expectEnd { $0.maximumIdleTime = .seconds(1) }
        }

        @Test func aConnectionThatIsTooOldIsNotUsedAgain() async throws {
            try await expectEnd { $0.maximumConnectionAge = .seconds(1) }
        }
    }
}
#endif
