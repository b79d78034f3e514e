import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// The sample of the section on the order of events, as it stands there.
@Suite(.timeLimit(.generous))
struct EventOrderSampleTests {
    @Test func aCheckerFindsNothingInAnOrdinaryCall() async throws {
        let server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        let request = URLRequest(url: server.url("/"), method: .get)
        let checker = EventOrderChecker()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [checker]
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        _ = try await dispatcher.data(for: request)
        await dispatcher.shutdown()
        #expect(checker.order.violations == [])
        #expect(checker.order.openExchangeCount == 0)
        #expect(checker.order.exchangeCount == 1)
    }
}
