import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the policies that share exchanges and send second ones.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct SharingSamplesTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "Hello"))
    }

    @Test func coalescing() async throws {
        let url = server.url("/")

        let dispatcher = URLRequestDispatcher(interceptors: [Coalescing()])
        async let first = dispatcher.data(from: url)
        async let second = dispatcher.data(from: url)
        let responses = try await [first, second]

        #expect(responses.map(\.data) == [Data("Hello".utf8), Data("Hello".utf8)])
    }

    @Test func hedging() async throws {
        let dispatcher = URLRequestDispatcher(interceptors: [Hedging(after: .percentile(0.95), methods: [.get])])
        #expect(try await dispatcher.data(from: server.url("/")).decodeString() == "Hello")
    }
}
