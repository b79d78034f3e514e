#if os(Linux)
import PiuPiuAsync
import PiuPiuRecording
import PiuPiuTesting
import TestSupport
import Testing

/// A recorder that is an observer and an interceptor at once: no exchange appears twice, and none without its body.
@Suite(.timeLimit(.generous)) struct HARObserverAndInterceptorTests {
    private let recorder = HARRecorder()
    private let server: LoopbackServer
    private let retry = RetryPolicy(retries: 1, backoff: Backoff(base: .zero))

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(headers: ["Content-Type": "text/plain"], body: "hello"))
    }

    private func dispatcher(_ interceptors: [any Interceptor]) -> URLRequestDispatcher {
        .forTests(interceptors: interceptors) { $0.observers = [recorder] }
    }

    private func recorded(location: SourceLocation = #_sourceLocation) async throws -> [HAR.Entry] {
        while recorder.underWayCount > 0 { await Task.yield() }
        #expect(HARFileCheck.problems(try recorder.har.data()) == [], sourceLocation: location)
        return recorder.har.entries
    }

    @Test(arguments: [false, true]) func anExchangeHasOneEntryWithBothBodies(_ isStreamed: Bool) async throws {
        server.route("POST", "/", .response(headers: ["Content-Type": "text/plain"], body: "hello"))
        let request = HARFixture.request("POST", server.url("/").absoluteString, body: "question")
        let dispatcher = dispatcher([recorder])
        if isStreamed {
            let body = try await dispatcher.stream(for: request).data
            #expect(recorder.underWayCount == 1)
            #expect(try await body.collect(upTo: 100) == Data("hello".utf8))
        } else {
            _ = try await dispatcher.data(for: request)
        }
        let entries = try await recorded()
        #expect(entries.map(\.response.content.text) == ["hello"])
        #expect(entries.map { $0.request.postData?.text } == ["question"])
        #expect(
            entries.allSatisfy { $0.connection != nil && $0.timings.connect >= 0 && !$0.response.content.isTruncated }
        )
        #expect(try await HARFixture.offline(recorder.har).text(request) == "hello")
    }

    @Test func onlyTheAnswerOfARetriedCallIsReplayed() async throws {
        server.sequence("/busy", [[.response(status: 503, body: "later")], [.redirect(to: "/")]])
        let request = URLRequest(url: server.url("/busy"))
        let response = try await dispatcher([recorder, retry]).data(for: request)
        #expect(response.attempts.count == 2 && response.history.count == 1)
        let entries = try await recorded()
        #expect(entries.map(\.response.status) == [503, 302, 200])
        #expect(entries.map(\.isSuperseded) == [true, false, false])
        #expect(entries.last?.response.content.text == "hello")
        #expect(try await HARFixture.offline(HAR(recorder.har.data())).text(request) == "hello")
    }

    @Test func everyAttemptHasItsBodyInsideOfARetryPolicy() async throws {
        server.sequence("/busy", [[.response(status: 503, body: "later")], [.response(body: "now")]])
        _ = try await dispatcher([retry, recorder]).data(from: server.url("/busy"))
        let entries = try await recorded()
        #expect(entries.map(\.response.content.text) == ["later", "now"])
        #expect(entries.map(\.isSuperseded) == [false, false])
    }

    @Test func theBodyOfARedirectedRequestStaysWithTheFirst() async throws {
        server.route("POST", "/old", .redirect(to: "/", status: 303))
        let request = HARFixture.request("POST", server.url("/old").absoluteString, body: "question")
        _ = try await dispatcher([recorder]).data(for: request)
        let entries = try await recorded()
        #expect(entries.map { $0.request.postData?.text } == ["question", nil])
        #expect(entries.map(\.request.method) == ["POST", "GET"])
        #expect(entries.map(\.response.content.text) == [nil, "hello"])
        #expect(try await HARFixture.offline(recorder.har).text(request) == "hello")
    }

    @Test func failuresHaveOneEntryEach() async throws {
        struct Refused: Error {}
        let port = try RefusingPort()
        _ = try? await dispatcher([recorder, retry]).data(from: port.url)
        let refusing = InlineInterceptor { _, _ in throw Refused() }
        _ = try? await dispatcher([recorder, refusing]).data(from: server.url("/"))
        server.route("/held", .hold("gate"))
        let task = Task { try await dispatcher([recorder]).data(from: server.url("/held")) }
        await server.waitUntilHeld("gate")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let entries = try await recorded()
        #expect(entries.map(\.response.error) == ["cannotConnect", "cannotConnect", "Refused", "cancelled"])
    }

    @Test func answersWithoutAnExchangeHaveAnEntry() async throws {
        let answering = InlineInterceptor { request, _ in .scripted(203, for: request, body: "kept") }
        _ = try await dispatcher([recorder, answering]).data(from: server.url("/"))
        // Another answer than that of the exchange.
        let changing = InlineInterceptor { request, next in
            _ = try await next(request)
            return .scripted(203, for: request, body: "kept")
        }
        _ = try await dispatcher([recorder, changing]).data(from: server.url("/"))
        let entries = try await recorded()
        #expect(entries.map(\.response.status).sorted() == [200, 203, 203])
        #expect(entries.filter { $0.response.status == 203 }.allSatisfy { $0.connection == nil })
    }

    @Test func manyAtOnceEachHaveOneEntry() async throws {
        server.sequence("/busy", [[.response(status: 503)], [.response(body: "now")]])
        let dispatcher = dispatcher([recorder, retry])
        let port = try RefusingPort()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<120 {
                group.addTask {
                    switch number % 3 {
                    case 0: _ = try? await dispatcher.data(from: server.url("/?\(number)"))
                    case 1:
                        guard
                            let body = try? await dispatcher.stream(for: URLRequest(url: server.url("/?\(number)")))
                                .data
                        else { return }
                        _ = try? await body.collect(upTo: 100)
                    default: _ = try? await dispatcher.data(from: port.url)
                    }
                }
            }
        }
        let entries = try await recorded()
        let answered = entries.filter { $0.response.status == 200 }
        #expect(answered.count == 80 && Set(answered.map(\.request.url)).count == 80)
        #expect(answered.allSatisfy { $0.response.content.text == "hello" })
        #expect(entries.count { $0.response.error == "cannotConnect" } >= 40)
        #expect(entries.count == 80 + entries.count { $0.response.error == "cannotConnect" })
        #expect(recorder.underWayCount == 0)
    }
}

/// An interceptor from a closure.
private struct InlineInterceptor: Interceptor {
    let body: @Sendable (TransportRequest, InterceptorChain) async throws -> TransportResponse

    init(_ body: @escaping @Sendable (TransportRequest, InterceptorChain) async throws -> TransportResponse) {
        self.body = body
    }

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        try await body(request, next)
    }
}
#endif
