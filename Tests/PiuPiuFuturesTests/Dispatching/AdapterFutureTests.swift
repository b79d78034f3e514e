import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Futures of requests and responses that adapters change.
@MainActor
@Suite(.timeLimit(.generous))
struct AdapterFutureTests {
    private struct Failure: Error {}

    /// Changes requests, sees responses, and takes its time for both.
    private final class Adapter: URLRequestAdapter, URLResponseAdapter {
        let request = Gate()
        let response = Gate()
        private let requests = Locked<[URLRequest]>([])
        private let error: (any Error)?

        init(throwing error: (any Error)? = nil) {
            self.error = error
        }

        /// The requests whose responses it saw.
        var seen: [String?] { requests.withLock { $0.map { $0.value(forHTTPHeaderField: "X-Adapted") } } }

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            try await request.wait()
            if let error { throw error }
            var request = urlRequest
            request.setValue("yes", forHTTPHeaderField: "X-Adapted")
            return request
        }

        func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            requests.withLock { $0.append(urlRequest) }
            try await response.wait()
            return urlResponse
        }
    }

    private let server: LoopbackServer
    private let adapter = Adapter()
    private let dispatcher: URLRequestDispatcher

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        server.route("/silent", .hold("here"), .stall)
        dispatcher = .forTests(requestAdapters: [adapter], responseAdapters: [adapter])
    }

    // B32, rule 11
    @Test(arguments: RequestForm.allCases)
    func adaptersMayTakeTheirTimeAndTakeEffect(form: RequestForm) async throws {
        let future = form.future(dispatcher, server.url("/"))
        let ending = Ending(of: future)
        await adapter.request.arrival()
        #expect(server.requests.isEmpty && ending.events.isEmpty)
        adapter.request.open()
        await adapter.response.arrival()
        #expect(server.requests.map { $0.header("X-Adapted") } == ["yes"])
        #expect(adapter.seen == ["yes"])
        #expect(ending.events.isEmpty)
        adapter.response.open()
        #expect(await ending.wait() == ["success", "completion"])
        #expect(try await future.fetchResult().urlRequest.value(forHTTPHeaderField: "X-Adapted") == "yes")
    }

    // K3, B22, rule 2
    @Test(arguments: RequestForm.allCases, [false, true])
    func cancellingWhileAnAdapterWorksIsNotLost(form: RequestForm, isResponse: Bool) async throws {
        let future = form.future(dispatcher, server.url("/"))
        let ending = Ending(of: future)
        if isResponse { adapter.request.open() }
        await (isResponse ? adapter.response : adapter.request).arrival()
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        #expect(server.requests.count == (isResponse ? 1 : 0))
        // Nothing of it is left that this would have to wait for.
        await dispatcher.shutdown()
    }

    // K3, K4, B22, rule 2, rule 3
    @Test(arguments: RequestForm.allCases)
    func cancellingBetweenAdaptersReachesTheSocket(form: RequestForm) async throws {
        adapter.request.open()
        let future = form.future(dispatcher, server.url("/silent"))
        let ending = Ending(of: future)
        #expect(await server.waitUntilHeld("here"))
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
        #expect(adapter.seen.isEmpty)
    }

    // K3, B22, rule 8
    @Test(arguments: RequestForm.closures)
    func noRequestIsACancellationAlsoWithAdapters(form: RequestForm) async throws {
        let future = form.future(dispatcher, server.url("/")) { nil }
        #expect(await Ending.events(of: future) == ["cancellation", "completion"])
        #expect(adapter.request.arrivals == 0)
    }

    // B32, rule 7
    @Test(arguments: RequestForm.allCases)
    func whatAnAdapterThrowsIsTheError(form: RequestForm) async throws {
        let adapter = Adapter(throwing: Failure())
        adapter.request.open()
        let dispatcher = URLRequestDispatcher.forTests(requestAdapters: [adapter])
        let error = await Ending.error(of: form.future(dispatcher, server.url("/")))
        #expect(error is Failure)
        #expect(server.requests.isEmpty)
    }

    // Rule 11: PiuPiu 1 held them weakly, and did without one that was gone.
    @Test func anAdapterThatOnlyTheDispatcherHoldsTakesEffect() async throws {
        var dispatcher: URLRequestDispatcher?
        weak var released: Adapter?
        do {
            let adapter = Adapter()
            adapter.request.open()
            released = adapter
            dispatcher = .forTests(requestAdapters: [adapter])
        }
        _ = try await #require(dispatcher).dataFuture(from: URLRequest(url: server.url("/"))).fetchResult()
        #expect(server.requests.map { $0.header("X-Adapted") } == ["yes"])
        dispatcher = nil
        #expect(released == nil)
    }
}
