#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

/// What the transport of Linux reports of its exchanges.
@Suite(.timeLimit(.generous))
struct ObservedNetworkTests {
    private let recorder = EventRecorder()
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
    }

    private func dispatcher(
        interceptors: [any Interceptor] = [],
        _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        URLRequestDispatcher.forTests(interceptors: interceptors) { configuration in
            configuration.observers = [recorder]
            configure(&configuration)
        }
    }

    private func request(_ path: String = "/", _ method: HTTPMethod = .get, body: String? = nil) -> URLRequest {
        var request = URLRequest(url: server.url(path), method: method)
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private var summaries: [ExchangeSummary] {
        recorder.state.events.compactMap { if case .exchangeEnded(let summary) = $0.kind { summary } else { nil } }
    }

    @Test func aGETHasAllPhasesAndThenUsesTheSameConnection() async throws {
        let dispatcher = dispatcher { $0.transport.eventLoops = 1 }
        for _ in 0..<2 { _ = try await dispatcher.data(for: request()) }
        let phases = { (first: String) in
            ["started", "1 exchange", first, "1 sent", "1 head 200", "1 body received 5", "1 over 200", "ended 200"]
        }
        #expect(recorder.state.texts == phases("1 connected") + phases("1 reused"))
        #expect(recorder.state.order.violations == [])
        let connections = summaries.compactMap(\.connection)
        #expect(connections.map(\.isReused) == [false, true])
        #expect(connections.map(\.remoteAddress) == ["127.0.0.1:\(server.port)", "127.0.0.1:\(server.port)"])
        #expect(connections.first?.localAddress == connections.last?.localAddress)
        #expect(connections.first?.localAddress?.hasPrefix("127.0.0.1:") == true)
        #expect(connections.map(\.httpVersion) == ["HTTP/1.1", "HTTP/1.1"])
        #expect(connections.map(\.proxy) == [nil, nil])
    }

    // Short and long bodies are sent differently.
    @Test(arguments: [1, 1_000, 65_535, 65_536, 65_537, 70_000, 300_000], [false, true])
    func bytesOfBothDirectionsAreCounted(_ size: Int, isExpected: Bool) async throws {
        server.route("/echo", .response(body: String(repeating: "b", count: 1000)))
        var options = RequestOptions()
        if isExpected { options.expectContinue = .always }
        let response = try await dispatcher().data(
            for: request("/echo", .post, body: String(repeating: "a", count: size)),
            options: options
        )
        let sent = recorder.state.events.reduce(0) { if case .bodySent(let count) = $1.kind { $0 + count } else { $0 } }
        let received = recorder.state.events.reduce(0) {
            if case .bodyReceived(let count) = $1.kind { $0 + count } else { $0 }
        }
        #expect(sent == size)
        #expect(received == 1000)
        let metrics = try #require(summaries.first?.metrics)
        #expect((size + 50..<size + 1_000).contains(metrics.bytesSent))
        #expect((1_010..<2_000).contains(metrics.bytesReceived))
        #expect(response.metrics == metrics)
        #expect(metrics.firstByte <= metrics.total)
        #expect(summaries.first.map { $0.duration >= metrics.total } == true)
    }

    @Test(arguments: [nil, 100_000]) func bytesOfAStreamAreCounted(_ length: Int64?) async throws {
        server.route("/upload", .response(body: "ok"))
        let pieces = AsyncStream<Data> { continuation in
            for _ in 0..<10 { continuation.yield(Data(repeating: 7, count: 10_000)) }
            continuation.finish()
        }
        let body = RequestBody.stream(pieces, length: length)
        let dispatcher = dispatcher()
        let response = try await dispatcher.upload(for: request("/upload", .post), from: body).response()
        let bytes = try #require(response.metrics?.bytesSent)
        #expect((100_050..<102_000).contains(bytes))
    }

    @Test func anObserverThatKeepsWhatItSawIsReleased() async throws {
        weak var observer: EventRecorder?
        do {
            let recorder = EventRecorder()
            let dispatcher = URLRequestDispatcher.forTests { $0.observers = [recorder] }
            for _ in 0..<3 { _ = try await dispatcher.data(for: request()) }
            for try await _ in try await dispatcher.stream(for: request()).data { break }
            _ = await recorder.outline(of: 4)
            await dispatcher.shutdown()
            observer = recorder
        }
        #expect(observer == nil)
    }

    @Test func anExchangeThatWaitsForAConnectionIsQueued() async throws {
        server.route("/held", .hold("go"), .response(body: "late"))
        let dispatcher = dispatcher {
            $0.transport.eventLoops = 1
            $0.connections = ConnectionLimits(perHost: 1, total: 1)
        }
        let first = Task { try await dispatcher.data(for: request("/held")) }
        _ = await recorder.observed.wait { $0.texts.contains("1 sent") }
        let second = Task { try await dispatcher.data(for: request()) }
        #expect(await recorder.observed.wait { $0.texts.contains("1 queued") })
        server.release("go")
        _ = try await (first.value, second.value)
        #expect(recorder.state.order.violations == [])
        // The first call ends before or after the second has its connection.
        let state = recorder.state
        let call = try #require(zip(state.events, state.texts).first { $0.1 == "1 queued" }?.0.call.id)
        let texts = zip(state.events, state.texts).filter { $0.0.call.id == call }.map(\.1)
        #expect(texts.dropFirst(2).prefix(3) == ["1 queued", "1 reused", "1 sent"])
        let summary = state.ended.first { $0.exchange.call.id == call }?.summary
        #expect(summary?.metrics.map { $0.queued > .zero } == true)
    }

    @Test func interimResponsesAreReported() async throws {
        server.route("/hints", .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .response(body: "a"))
        _ = try await dispatcher().data(for: request("/hints"))
        #expect(recorder.state.texts.contains("1 interim 103"))
        #expect(recorder.state.order.violations == [])
    }

    @Test func aFailureHasItsCodeAndWhatWasKnown() async throws {
        server.route("/cut", .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close)
        let dispatcher = dispatcher()
        await expect(.truncatedBody) { try await dispatcher.data(for: request("/cut")) }
        #expect(recorder.state.texts.suffix(2) == ["1 over truncatedBody", "ended truncatedBody"])
        let summary = try #require(summaries.first)
        #expect(summary.statusCode == .ok)
        #expect(summary.connection?.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(summary.metrics.map { $0.bytesReceived > 3 } == true)
        let port = try RefusingPort()
        await expect(.cannotConnect) { try await dispatcher.data(from: port.url) }
        #expect(recorder.state.texts.suffix(2) == ["1 over cannotConnect", "ended cannotConnect"])
        #expect(summaries.last?.connection == nil)
    }

    @Test func aConnectionThatProvedDeadIsARestart() async throws {
        // The second request finds the connection closed before or after it was sent.
        server.sequence("/once", [[.response(body: "a"), .close], [.response(body: "b")]])
        let dispatcher = dispatcher { $0.transport.eventLoops = 1 }
        for _ in 0..<20 { _ = try await dispatcher.data(for: request("/once")) }
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.endedCalls == 20)
    }

    @Test func aStreamedBodyEndsWhenItsLastByteArrives() async throws {
        server.route("/long", .response(body: String(repeating: "x", count: 2_000_000)))
        let dispatcher = dispatcher()
        let response = try await dispatcher.stream(for: request("/long"))
        let body = try await response.data.collect(upTo: 3_000_000)
        #expect(body.count == 2_000_000)
        #expect(await recorder.outline(of: 1).suffix(3) == ["1 head 200", "1 over 200", "ended 200"])
        let received = recorder.state.events.reduce(0) {
            if case .bodyReceived(let count) = $1.kind { $0 + count } else { $0 }
        }
        #expect(received == 2_000_000)
    }

    @Test func abandonedStreamsAndCancelledCallsEndOnce() async throws {
        server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
        server.route("/held", .hold("never"))
        let dispatcher = dispatcher()
        let count = 40
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        for try await _ in try await dispatcher.stream(for: request("/endless")).data { break }
                    } else {
                        let call = Task { try await dispatcher.data(for: request("/held")) }
                        if number % 4 == 1 { _ = await recorder.observed.wait { $0.texts.contains("1 sent") } }
                        call.cancel()
                        await #expect(throws: CancellationError.self) { try await call.value }
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = await recorder.observed.wait { $0.order.openCallCount == 0 && $0.order.openExchangeCount == 0 }
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.endedCalls == count)
        await dispatcher.shutdown()
        #expect(recorder.state.endedCalls == count)
    }

    @Test func invalidatingEndsEverything() async throws {
        server.route("/held", .hold("never"))
        let dispatcher = dispatcher { $0.connections = ConnectionLimits(perHost: 2, total: 4) }
        let calls = (0..<20).map { _ in Task { try await dispatcher.data(for: request("/held")) } }
        _ = await recorder.observed.wait { $0.texts.count { $0 == "1 queued" } > 10 }
        dispatcher.invalidateAndCancel()
        for call in calls { await #expect(throws: (any Error).self) { try await call.value } }
        #expect(recorder.state.order.violations == [])
        #expect(recorder.state.order.openCallCount == 0)
        #expect(recorder.state.order.openExchangeCount == 0)
    }

    @Test func producersOfBodiesSeeTheCallersTaskLocalValues() async throws {
        server.route("/upload", .response(body: "ok"))
        let seen = Locked<String?>(nil)
        let pieces = AsyncStream<Data>(unfolding: {
            let isFirst = seen.withLock { seen in
                defer { seen = EventRecorder.trace }
                return seen == nil
            }
            return isFirst ? Data("abc".utf8) : nil
        })
        let body = RequestBody.stream(pieces, length: 3)
        let dispatcher = dispatcher()
        try await EventRecorder.$trace.withValue("caller") {
            for try await _ in dispatcher.upload(for: request("/upload", .post), from: body) {}
        }
        #expect(seen.withLock { $0 } == "caller")
    }
}
#endif
