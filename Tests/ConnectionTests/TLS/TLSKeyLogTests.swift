#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// The environment variable by which the secrets of connections are written down.
    @Suite(.enabled(if: TLSSettingsFixture.isAvailable, TLSSettingsFixture.need))
    struct TLSKeyLogTests {
        @Test("SSLKEYLOGFILE of the environment that the process began with has the secrets written down")
        func keyLog() async throws {
            let fixture = try TLSSettingsFixture()
            let (authority, newer) = (fixture.server.authority, fixture.server.url(fixture.server.tls13))
            let older = fixture.server.url(fixture.server.tls12)
            await #expect(processExitsWith: .exitCode(7)) {
                [authority = authority as URL, newer = newer as URL, older = older as URL] in
                let folder = try DownloadFolder()
                let log = folder.url.appending(path: "keys")
                // It is looked at once.
                setenv("SSLKEYLOGFILE", log.path, 1)
                let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = authority }
                _ = try await dispatcher.data(from: newer)
                _ = try await dispatcher.data(from: older)
                await dispatcher.shutdown()
                let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
                #expect(lines.contains { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") })
                #expect(lines.contains { $0.hasPrefix("CLIENT_RANDOM ") })
                exit(lines.isEmpty ? 1 : 7)
            }
        }
    }
}
#endif
