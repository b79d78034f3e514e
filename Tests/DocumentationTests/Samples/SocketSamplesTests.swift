#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples about the transports of Linux.
@Suite(.timeLimit(.generous))
struct SocketSamplesTests {
    @Test func aDispatcherOverSockets() async throws {
        let server = try Surroundings.server()
        server.route("/hello", .response(body: "hello"))
        let transport = try SocketTransport()
        let dispatcher = URLRequestDispatcher(transport: transport)
        let response = try await dispatcher.data(from: server.url("/hello"))
        #expect(response.data == Data("hello".utf8))
        await dispatcher.shutdown()
    }
}
#endif
