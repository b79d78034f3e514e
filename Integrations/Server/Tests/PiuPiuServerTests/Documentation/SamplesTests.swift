import Logging
import PiuPiuAsync
import PiuPiuServer
import PiuPiuTesting
import ServiceLifecycle
import Testing
import UnixSignals

/// The samples of the documentation, run against a mock.
@Suite(.timeLimit(.minutes(1)))
struct SamplesTests {
    @Test func aServerEndsTheGroup() async throws {
        let dispatcher = URLRequestDispatcher(transport: MockTransport { _ in MockAnswer(.ok) })
        let server = ShortServer()
        let logger = Logger(label: "test")
        do {
            let client = DispatcherService(dispatcher, gracePeriod: .seconds(20))
            let group = ServiceGroup(services: [client, server], gracefulShutdownSignals: [.sigterm], logger: logger)
            try await group.run()
        } catch is ServiceGroupError {
            // The server has ended by itself.
        }
        let error = await #expect(throws: TransportError.self) {
            _ = try await dispatcher.data(from: try #require(URL(string: "http://localhost/")))
        }
        #expect(error?.code == .shutDown)
    }

    private struct ShortServer: Service {
        func run() async {}
    }
}
