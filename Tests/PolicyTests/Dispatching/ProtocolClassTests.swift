import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// A `URLSessionConfiguration` whose protocol classes were meant to take requests off the network.
@Suite(.timeLimit(.generous)) struct ProtocolClassTests {
    private final class Stub: URLProtocol {}

    private static func session() -> URLSessionConfiguration {
        let session = URLSessionConfiguration.ephemeral
        session.protocolClasses = [Stub.self] + (session.protocolClasses ?? [])
        return session
    }

    @Test func everyRequestThrowsAndNothingIsSent() async throws {
        let server = try LoopbackServer()
        server.route("/", .response(body: "from the network"))
        let dispatcher = URLRequestDispatcher(configuration: Self.session())
        for _ in 0..<2 {
            let error = try await failure { try await dispatcher.data(from: server.url("/")) }
            #expect(TransportError.Code.unsupported ~= error)
            #expect("\(error)".contains("protocolClasses") && "\(error)".contains("Stub"), "\(error)")
        }
        #expect(server.requests.isEmpty)
        await dispatcher.shutdown()
    }

    @Test(arguments: [URLSessionConfiguration.default, .ephemeral]) func foundationsOwnClassesAreNone(
        _ session: URLSessionConfiguration
    ) {
        #expect(URLRequestDispatcher.Configuration(session).transport.protocolClasses.isEmpty)
        session.protocolClasses = []
        #expect(URLRequestDispatcher.Configuration(session).transport.protocolClasses.isEmpty)
        session.protocolClasses = nil
        #expect(URLRequestDispatcher.Configuration(session).transport.protocolClasses.isEmpty)
    }

    @Test func aTransportTakesTheirPlace() async throws {
        let dispatcher = URLRequestDispatcher(
            configuration: .init(Self.session()),
            transport: ScriptedTransport { .scripted(200, for: $0, body: "hello") }
        )
        #expect(try await dispatcher.data(for: Fixture.request).data == Data("hello".utf8))
    }
}
