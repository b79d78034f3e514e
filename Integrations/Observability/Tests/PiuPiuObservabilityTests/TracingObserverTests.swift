import InMemoryTracing
import PiuPiuAsync
import PiuPiuTesting
import Testing
import Tracing

@testable import PiuPiuObservability

@Suite(.timeLimit(.minutes(2))) struct TracingObserverTests {
    @Test func aResponseIsASpanWithTheConventionsAttributes() async throws {
        let bench = try Bench()
        bench.server.route("/users/7", .response(body: "hello"))

        _ = try await bench.dispatcher.data(from: bench.server.url("/users/7?token=1#part"))

        let span = try #require(bench.spans.first)
        #expect(bench.spans.count == 1)
        #expect(span.operationName == "GET")
        #expect(span.kind == .client)
        #expect(!span.isError && span.errors.isEmpty)
        #expect(
            span.texts == [
                "http.request.method": "GET",
                "server.address": "127.0.0.1",
                "server.port": "\(bench.server.port)",
                "url.full": "http://127.0.0.1:\(bench.server.port)/users/7",
                "http.response.status_code": "200",
                "network.peer.address": "127.0.0.1",
                "network.peer.port": "\(bench.server.port)",
                "network.protocol.version": "1.1",
            ]
        )
        #expect(bench.isSettled)
    }

    @Test func theRouteTemplateNamesTheSpan() async throws {
        let bench = try Bench()
        bench.server.route("/users/7", .response())
        var options = RequestOptions()
        options.routeTemplate = "/users/{id}"

        _ = try await bench.dispatcher.data(from: bench.server.url("/users/7"), options: options)

        let span = try #require(bench.spans.first)
        #expect(span.operationName == "GET /users/{id}")
        #expect(span.texts["url.template"] == "/users/{id}")
    }

    @Test func anUnknownMethodIsOther() async throws {
        let bench = try Bench(tracing: { TracingObserver(tracer: $0, knownMethods: ["GET", "PURGE"]) })
        bench.server.route("/", .response())
        for method in ["PURGE", "BREW"] {
            var request = URLRequest(url: bench.server.url("/"))
            request.httpMethod = method
            _ = try await bench.dispatcher.data(for: request)
        }

        let spans = bench.spans
        #expect(spans.map(\.operationName) == ["PURGE", "HTTP"])
        #expect(spans.map { $0.texts["http.request.method"] } == ["PURGE", "_OTHER"])
        #expect(spans.map { $0.texts["http.request.method_original"] } == [nil, "BREW"])
    }

    @Test(arguments: [404, 500]) func anErrorStatusIsAnError(status: Int) async throws {
        let bench = try Bench()
        bench.server.route("/", .response(status: status))

        _ = try await bench.dispatcher.data(from: bench.server.url("/"))

        let span = try #require(bench.spans.first)
        #expect(span.isError)
        #expect(span.status?.message == nil, "The status code says it.")
        #expect(span.texts["http.response.status_code"] == "\(status)")
        #expect(span.texts["error.type"] == "\(status)")
    }

    @Test func eachAttemptIsASpanAndSendsItsOwnContext() async throws {
        let bench = try Bench(interceptors: [RetryPolicy.prompt])
        // The second is lost on a connection of its own: on a used one, the transport itself would send it again.
        let busy = Step.response(status: 503, headers: ["Connection": "close"])
        bench.server.sequence("/", [[busy, .close], [.close], [.response(body: "hello")]])

        try await bench.tracer.withSpan("caller") { caller in
            _ = try await bench.dispatcher.data(from: bench.server.url("/"))
            let spans = bench.spans
            #expect(spans.map(\.parentSpanID) == [caller.spanID, caller.spanID, caller.spanID])
            #expect(spans.map { $0.texts["error.type"] } == ["503", "connectionLost", nil])
            #expect(spans.map(\.isError) == [true, true, false])
            #expect(spans.map { $0.texts["http.request.resend_count"] } == [nil, "1", "2"])
            #expect(bench.server.requests.map { $0.header(InMemoryTracer.spanIDKey) } == spans.map(\.spanID))
            #expect(bench.server.requests.allSatisfy { $0.header(InMemoryTracer.traceIDKey) == caller.traceID })
            #expect(Set(spans.map(\.spanID)).count == 3)
        }
        #expect(bench.isSettled)
    }

    @Test(arguments: [false, true]) func eachRedirectIsASpanAndSendsItsOwnContext(isStreamed: Bool) async throws {
        let bench = try Bench()
        bench.server.route("/old", .redirect(to: "/new?secret=1"))
        bench.server.route("/new", .response(body: "hello"))
        var options = RequestOptions()
        options.routeTemplate = "/old"

        if isStreamed {
            let url = URLRequest(url: bench.server.url("/old"))
            let response = try await bench.dispatcher.stream(for: url, options: options)
            _ = try await response.data.collect(upTo: 100)
        } else {
            _ = try await bench.dispatcher.data(from: bench.server.url("/old"), options: options)
        }
        await bench.dispatcher.shutdown()

        let spans = bench.spans.sorted { $0.spanID < $1.spanID }
        #expect(spans.map(\.operationName) == ["GET /old", "GET"])
        #expect(spans.map { $0.texts["http.response.status_code"] } == ["302", "200"])
        #expect(spans.map(\.isError) == [false, false])
        #expect(spans.map { $0.texts["http.request.resend_count"] } == [nil, "1"])
        #expect(bench.server.requests.map { $0.header(InMemoryTracer.spanIDKey) } == spans.map(\.spanID))
        #expect(bench.isSettled)
    }

    @Test func strangersAreNotTold() async throws {
        let bench = try Bench(tracing: { TracingObserver(tracer: $0) { $0.host == "127.0.0.1" } })
        bench.server.route("/old", .redirect(to: "http://localhost:\(bench.server.port)/new"))
        bench.server.route("/new", .response())

        _ = try await bench.dispatcher.data(from: bench.server.url("/old"))

        #expect(bench.spans.map { $0.texts["server.address"] } == ["127.0.0.1", "localhost"])
        let requests = bench.server.requests
        #expect(requests.map(\.path) == ["/old", "/new"])
        #expect(requests.first?.header(InMemoryTracer.spanIDKey) != nil)
        #expect(requests.last?.headers.contains { $0.name.lowercased().hasPrefix("in-memory") } == false)
    }

    @Test func aContextOfTheRequestItselfIsReplaced() async throws {
        let bench = try Bench()
        bench.server.route("/", .response())
        var request = URLRequest(url: bench.server.url("/"))
        request.setValue("forged", forHTTPHeaderField: InMemoryTracer.spanIDKey)

        _ = try await bench.dispatcher.data(for: request)

        let fields = try #require(bench.server.requests.first)
            .headers.filter { $0.name.lowercased() == InMemoryTracer.spanIDKey }
        #expect(fields.map(\.value) == bench.spans.map(\.spanID))
    }

    @Test func theTracerOfTheCallersTaskIsUsed() async throws {
        let bench = try Bench(tracing: { _ in TracingObserver() })
        bench.server.route("/", .response())

        try await withTracer(bench.tracer) {
            _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        }
        #expect(bench.spans.map { $0.texts["http.response.status_code"] } == ["200"])
        #expect(bench.server.requests.map { $0.header(InMemoryTracer.spanIDKey) } == bench.spans.map(\.spanID))

        // Nothing was set up here: nothing is traced.
        _ = try await bench.dispatcher.data(from: bench.server.url("/"))
        #expect(bench.spans.count == 1)
        #expect(bench.server.requests.last?.header(InMemoryTracer.spanIDKey) == nil)
        #expect(bench.isSettled)
    }

    @Test func aRefusedConnectionIsAnError() async throws {
        let bench = try Bench()
        let port = try RefusingPort()

        await #expect(throws: TransportError.self) { try await bench.dispatcher.data(from: port.url) }

        let span = try #require(bench.spans.first)
        #expect(span.isError)
        #expect(span.status?.message?.hasPrefix("The connection could not be opened") == true)
        #expect(span.texts["error.type"] == "cannotConnect")
        #expect(span.texts["http.response.status_code"] == nil)
        #expect(span.texts["network.peer.address"] == nil)
        #expect(bench.isSettled)
    }

    @Test func aTimeLimitIsAnError() async throws {
        let bench = try Bench()
        bench.server.route("/", .stall)
        var options = RequestOptions()
        options.timeouts.head = .milliseconds(20)

        await #expect(throws: TransportError.self) {
            try await bench.dispatcher.data(from: bench.server.url("/"), options: options)
        }

        #expect(bench.spans.map { $0.texts["error.type"] } == ["timeout(head)"])
        #expect(bench.isSettled)
    }

    @Test func aCancelledCallEndsItsSpan() async throws {
        let bench = try Bench()
        bench.server.route("/", .stall)
        let call = Task { try await bench.dispatcher.data(from: bench.server.url("/")) }
        await bench.server.waitForRequests(1)

        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await bench.dispatcher.shutdown()

        #expect(bench.spans.map { $0.texts["error.type"] } == ["cancelled"])
        #expect(bench.spans.map(\.isError) == [true])
        #expect(bench.isSettled)
    }

    @Test func aStreamLastsUntilItIsRead() async throws {
        let bench = try Bench()
        bench.server.route("/", .response(body: String(repeating: "x", count: 100_000)))

        let body = try await bench.dispatcher.stream(for: URLRequest(url: bench.server.url("/"))).data
        #expect(try await body.collect(upTo: 1_000_000).count == 100_000)

        #expect(bench.spans.map { $0.texts["error.type"] } == [nil])
        #expect(bench.isSettled)
    }

    @Test func anAbandonedStreamEndsItsSpan() async throws {
        let bench = try Bench()
        bench.server.route("/", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))

        // Often: the next piece may arrive before or after the transport learns that nobody wants it.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...40 {
                group.addTask {
                    let body = try await bench.dispatcher.stream(for: URLRequest(url: bench.server.url("/"))).data
                    for try await _ in body {
                        #expect(bench.tracing.openSpanCount > 0)
                        break
                    }
                }
            }
            try await group.waitForAll()
        }
        await bench.dispatcher.shutdown()

        #expect(bench.spans.count == 40)
        #expect(Set(bench.spans.map { $0.texts["error.type"] }) == ["cancelled"])
        #expect(Set(bench.spans.map { $0.texts["http.response.status_code"] }) == ["200"])
        #expect(bench.isSettled)
    }

    @Test func aDispatcherThatIsInvalidatedEndsItsSpans() async throws {
        let bench = try Bench()
        bench.server.route("/", .stall)
        let call = Task { try await bench.dispatcher.data(from: bench.server.url("/")) }
        await bench.server.waitForRequests(1)

        bench.dispatcher.invalidateAndCancel()
        _ = await call.result
        await bench.dispatcher.shutdown()

        #expect(bench.spans.count == 1)
        #expect(bench.isSettled)
    }
}
