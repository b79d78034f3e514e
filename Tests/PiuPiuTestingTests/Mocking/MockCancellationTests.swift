import PiuPiuAsync
import TestSupport
import Testing
@testable import PiuPiuTesting

@Suite(.timeLimit(.generous))
struct MockCancellationTests {
    private static func hanging() -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(
            transport: MockTransport(answers: [.hang], afterLast: .repeatLast, clock: ManualClock())
        )
    }

    @Test func cancellingTheTaskEndsAHangingAnswer() async throws {
        let dispatcher = Self.hanging()
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await dispatcher.requests(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aTaskThatWasCancelledBeforeSendsNothing() async throws {
        let transport = MockTransport(answers: [MockAnswer(.ok)])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(TransportRequest(Fixture.request))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test func aFunctionThatDoesNotNoticeHoldsNobodyUp() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await Task { try? await gate.wait() }.value
            return MockAnswer(.ok)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await dispatcher.shutdown()
        gate.open()
    }

    @Test func aFunctionFindsItsTaskCancelled() async throws {
        let noticed = Gate()
        let transport = MockTransport { _ in
            do { try await Gate().wait() } catch { noticed.open() }
            return MockAnswer(.ok)
        }
        let task = Task { try await transport.send(TransportRequest(Fixture.request)) }
        _ = try await transport.requests(atLeast: 1)
        task.cancel()
        try await noticed.wait()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func invalidatingCancelsWhatIsInFlight() async throws {
        let dispatcher = Self.hanging()
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        let stream = Task { try await dispatcher.stream(for: Fixture.request) }
        _ = try await dispatcher.requests(atLeast: 2)
        dispatcher.invalidateAndCancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await stream.value }
        let error = try await failure { try await dispatcher.data(for: Fixture.request) }
        #expect(TransportError.Code.shutDown ~= error)
        await dispatcher.shutdown()
    }

    @Test func shutdownWaitsForWhatIsInFlight() async throws {
        let gate = Gate()
        let events = Locked<[String]>([])
        let transport = MockTransport { request in
            guard request.path == Fixture.url.path else { return MockAnswer(.notFound) }
            try await gate.wait()
            events.withLock { $0.append("answered") }
            return MockAnswer(.ok)
        }
        let task = Task { try await transport.send(TransportRequest(Fixture.request)) }
        await gate.arrival()
        let closed = Task {
            await transport.shutdown()
            events.withLock { $0.append("shut down") }
            #expect(transport.exchangeCount == 0)
        }
        // Until the shutdown has begun, other requests are answered.
        let other = TransportRequest(URLRequest(url: Fixture.url.appending(path: "other")))
        while (try? await transport.send(other)) != nil {}
        // If it didn't wait, it would be over now, as the shutdown of a hundred others is.
        for _ in 0..<rounds(100) { await Self.hanging().shutdown() }
        #expect(events.withLock { $0 }.isEmpty)
        gate.open()
        _ = try await task.value
        await closed.value
        #expect(events.withLock { $0 } == ["answered", "shut down"])
    }

    @Test func finishingRefusesAndLetsEnd() async throws {
        let gate = Gate()
        let dispatcher = MockURLRequestDispatcher { request in
            try await gate.wait()
            return try .makeMockResponse(with: request, statusCode: .ok)
        }
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        dispatcher.finishTasksAndInvalidate()
        let error = try await failure { try await dispatcher.data(for: Fixture.request) }
        #expect(TransportError.Code.shutDown ~= error)
        gate.open()
        #expect(try await task.value.statusCode == .ok)
    }

    @Test func releasingTheDispatcherEndsStreamsAndTransfers() async throws {
        let transport = MockTransport(answers: [MockAnswer(.ok, pieces: ["a"], ending: .hang)], afterLast: .repeatLast)
        var dispatcher: MockURLRequestDispatcher? = MockURLRequestDispatcher(transport: transport)
        weak let weakDispatcher = dispatcher
        let body = try await dispatcher?.stream(for: Fixture.request).data
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let download = try #require(dispatcher?.download(for: Fixture.request, to: file))
        let task = Task { try await download.response() }
        _ = try await transport.requests(atLeast: 2)
        dispatcher = nil
        #expect(weakDispatcher == nil)
        #expect(TransportError.Code.shutDown ~= (try await failure { try await task.value }))
        var chunks = try #require(body).makeAsyncIterator()
        #expect(TransportError.Code.shutDown ~= (try await failure { while try await chunks.next() != nil {} }))
        #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
    }

    @Test func releasingTheTransportCancels() async throws {
        var transport: MockTransport? = MockTransport(answers: [MockAnswer(.ok, pieces: ["a"], ending: .hang)])
        weak let released = transport
        var request = TransportRequest(Fixture.request)
        request.delivery = .streamed
        let stream = try #require(try await transport?.send(request).stream)
        var chunks = stream.makeAsyncIterator()
        #expect(try await chunks.next() == Data("a".utf8))
        transport = nil
        #expect(released == nil)
        await #expect(throws: CancellationError.self) { try await chunks.next() }
    }

    /// Cancels come at any moment; whatever ends, ends once, and nothing is left.
    @Test(arguments: 0..<4)
    func aStormOfCancelsLeavesNothingBehind(seed: Int) async throws {
        let pieces: [MockAnswer.Piece] = ["a", .init("b", after: .microseconds(50)), "c"]
        let answers = [
            MockAnswer(.ok, pieces: pieces, after: .microseconds(50)), MockAnswer(.ok, body: "hello"), .hang,
            MockAnswer(.ok, body: Data(repeating: 7, count: 200_000)),
            MockAnswer(.ok, pieces: pieces, ending: .failure(CancellationError())),
        ]
        let turn = Locked(seed)
        let transport = MockTransport { _ in
            let index = turn.withLock { turn in
                turn += 1
                return turn
            }
            for _ in 0..<(index % 7) { await Task.yield() }
            return answers[index % answers.count]
        }
        // A busy machine may need minutes.
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = Timeouts(queue: nil, connect: nil, idle: nil)
        let dispatcher = MockURLRequestDispatcher(transport: transport, configuration: configuration)
        var random = SeededRandom(seed: UInt64(seed))
        let ends = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<300 {
                let yields = Int.random(in: 0..<60, using: &random)
                group.addTask {
                    let task = Task { try await Self.request(index, of: dispatcher) }
                    for _ in 0..<yields { await Task.yield() }
                    task.cancel()
                    switch await task.result {
                    case .success: return true
                    case .failure(let error): return error is CancellationError
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(ends.count == 300)
        #expect(ends.allSatisfy { $0 })
        // Returns only if every exchange has ended.
        await dispatcher.shutdown()
        await transport.shutdown()
        #expect(transport.exchangeCount == 0)
    }

    private static func request(_ index: Int, of dispatcher: MockURLRequestDispatcher) async throws {
        switch index % 3 {
        case 0: _ = try await dispatcher.data(for: Fixture.request)
        case 1: for try await _ in try await dispatcher.stream(for: Fixture.request).data {}
        default:
            // No more than that: another test watches how much memory the process takes.
            let chunk = Data(repeating: 1, count: 20_000)
            let body = AsyncStream<Data> { continuation in
                for _ in 0..<4 { continuation.yield(chunk) }
                continuation.finish()
            }
            _ = try await dispatcher.upload(for: URLRequest(url: Fixture.url, method: .put), from: .stream(body))
                .response()
        }
    }

    @Test func invalidatingInAStormEndsEverything() async throws {
        for _ in 0..<20 {
            let dispatcher = Self.hanging()
            let tasks = (0..<20).map { index in Task { try await Self.request(index, of: dispatcher) } }
            for _ in 0..<20 { await Task.yield() }
            dispatcher.invalidateAndCancel()
            for task in tasks {
                let error = try await failure { try await task.value }
                #expect(error is CancellationError || TransportError.Code.shutDown ~= error)
            }
            await dispatcher.shutdown()
        }
    }
}
