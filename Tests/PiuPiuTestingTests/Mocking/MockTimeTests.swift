import PiuPiuAsync
import TestSupport
import Testing
@testable import PiuPiuTesting

/// Nothing here waits for real: the tests move the clock.
@Suite(.timeLimit(.generous))
struct MockTimeTests {
    private let clock = ManualClock()

    /// A dispatcher that gives an answer, and a request that was received by it.
    private func send(
        _ answer: MockAnswer,
        _ timeouts: Timeouts = timeouts()
    ) async throws -> Task<Response<Data?>, any Error> {
        let transport = MockTransport(answers: [answer], clock: clock)
        let dispatcher = MockURLRequestDispatcher(
            transport: transport,
            configuration: .init(options: RequestOptions(timeouts: timeouts))
        )
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await transport.requests(atLeast: 1)
        return task
    }

    private func failure(of task: Task<Response<Data?>, any Error>) async throws -> TransportError {
        let error = try await TestSupport.failure { try await task.value }
        return try #require(error as? TransportError)
    }

    private static func timeouts(
        head: Duration? = nil,
        idle: Duration? = nil,
        total: Duration? = nil
    ) -> Timeouts {
        Timeouts(queue: nil, connect: nil, head: head, idle: idle, total: total)
    }

    @Test func anAnswerTakesItsTime() async throws {
        let answer = MockAnswer(.ok, pieces: ["a", .init("b", after: .seconds(3))], after: .seconds(2))
        let task = try await send(answer)
        clock.advance(by: .seconds(5))
        let response = try await task.value
        #expect(response.data == Data("ab".utf8))
        #expect(response.metrics?.firstByte == .seconds(2))
        #expect(response.metrics?.total == .seconds(5))
    }

    @Test func anAnswerDoesNotComeEarly() async throws {
        let task = try await send(MockAnswer(.ok, after: .seconds(2)))
        await clock.sleeps(1)
        clock.advance(by: .milliseconds(1999))
        // No task was woken: the exchange still sleeps, until its answer is due.
        #expect(clock.deadlines == [.seconds(2)])
        clock.advance(by: .milliseconds(1))
        #expect(clock.deadlines == [])
        #expect(try await task.value.metrics?.firstByte == .seconds(2))
    }

    @Test(arguments: [
        (timeouts(head: .seconds(1)), TimeoutPhase.head), (timeouts(idle: .seconds(1)), .idle),
        (timeouts(total: .seconds(1)), .total), (timeouts(head: .seconds(3), idle: .seconds(1)), .idle),
    ])
    func aHeadThatIsLateIsATimeout(timeouts: Timeouts, phase: TimeoutPhase) async throws {
        for answer in [MockAnswer(.ok, after: .seconds(2)), .hang, .failure(CancellationError(), after: .seconds(2))] {
            let task = try await send(answer, timeouts)
            clock.advance(by: .seconds(10))
            let error = try await failure(of: task)
            #expect(error.code == .timeout(phase))
            #expect(error.response == nil)
        }
    }

    @Test(arguments: [timeouts(head: .seconds(2)), timeouts(idle: .seconds(2)), timeouts(total: .seconds(2))])
    func aHeadInTimeIsNone(timeouts: Timeouts) async throws {
        let task = try await send(MockAnswer(.ok, after: .seconds(2)), timeouts)
        clock.advance(by: .seconds(10))
        #expect(try await task.value.statusCode == .ok)
    }

    @Test func piecesKeepAnExchangeFromBeingIdle() async throws {
        let pieces = (0..<5).map { MockAnswer.Piece("\($0)", after: .seconds(1)) }
        let task = try await send(MockAnswer(.ok, pieces: pieces), Self.timeouts(head: .seconds(1), idle: .seconds(1)))
        // All at once, and yet as if it had gone by slowly.
        clock.advance(by: .seconds(100))
        #expect(try await task.value.data == Data("01234".utf8))
    }

    @Test(arguments: [(timeouts(idle: .seconds(2)), TimeoutPhase.idle), (timeouts(total: .seconds(3)), .total)])
    func aPieceThatIsLateIsATimeout(timeouts: Timeouts, phase: TimeoutPhase) async throws {
        let pieces: [MockAnswer.Piece] = [.init("abc", after: .seconds(1)), .init("d", after: .seconds(3))]
        let task = try await send(MockAnswer(.created, pieces: pieces), timeouts)
        clock.advance(by: .seconds(10))
        let error = try await failure(of: task)
        #expect(error.code == .timeout(phase))
        #expect(error.response?.statusCode == .created)
        #expect(error.bytesReceived == 3)
    }

    @Test func aFunctionThatIsLateIsATimeout() async throws {
        let gate = Gate()
        let transport = MockTransport(clock: clock) { _ in
            // Does not notice that it is cancelled.
            await Task { try? await gate.wait() }.value
            return MockAnswer(.ok)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        let options = RequestOptions(timeouts: Self.timeouts(idle: .seconds(1)))
        async let response = dispatcher.data(for: Fixture.request, options: options)
        await gate.arrival()
        clock.advance(by: .seconds(1))
        do {
            _ = try await response
            Issue.record("It was answered.")
        } catch {
            #expect(TransportError.Code.timeout(.idle) ~= error)
        }
        gate.open()
    }

    @Test func theWholeCallCountsOverRedirects() async throws {
        let moved = MockAnswer(.found, headers: ["Location": "/b"], after: .seconds(2))
        let transport = MockTransport(answers: [moved, MockAnswer(.ok, after: .seconds(2))], clock: clock)
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: RequestOptions(timeouts: Self.timeouts(total: .seconds(3)))),
            transport: transport
        )
        let task = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await transport.requests(atLeast: 1)
        clock.advance(by: .seconds(2))
        _ = try await transport.requests(atLeast: 2)
        clock.advance(by: .milliseconds(999))
        #expect(transport.requests.count == 2)
        clock.advance(by: .milliseconds(1))
        #expect(try await failure(of: task).code == .timeout(.total))
    }

    @Test func aLimitOfNothingIsReachedAtOnce() async throws {
        for timeouts in [Self.timeouts(total: .zero), Self.timeouts(total: .seconds(-1))] {
            let transport = MockTransport(answers: [MockAnswer(.ok)], clock: clock)
            let request = TransportRequest(Fixture.request, options: RequestOptions(timeouts: timeouts))
            let error = try await TestSupport.failure { try await transport.send(request) }
            #expect(TransportError.Code.timeout(.total) ~= error)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test func timesOfAnySizeAreTimes() async throws {
        let endless = try await send(MockAnswer(.ok, pieces: [.init("a", after: .seconds(Int64.max))]))
        endless.cancel()
        await #expect(throws: CancellationError.self) { try await endless.value }
        let task = try await send(MockAnswer(.ok, pieces: [.init("a", after: .seconds(-5))], after: .seconds(-9)))
        #expect(try await task.value.data == Data("a".utf8))
        let large = try await send(.hang, Self.timeouts(head: .seconds(Int64.max), total: .seconds(Int64.max)))
        large.cancel()
        await #expect(throws: CancellationError.self) { try await large.value }
    }

    @Test func realTimeIsTheDefault() async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [MockAnswer(.ok, after: .milliseconds(30)), .hang])
        )
        let start = ContinuousClock.now
        _ = try await dispatcher.data(for: Fixture.request)
        #expect(ContinuousClock.now - start >= .milliseconds(30))
        let options = RequestOptions(timeouts: Self.timeouts(total: .milliseconds(20)))
        let error = try await TestSupport.failure {
            try await dispatcher.data(for: Fixture.request, options: options)
        }
        #expect(TransportError.Code.timeout(.total) ~= error)
    }

    @Test("An identifier that no field can hold is not sent, and ends nothing", arguments: ["a\u{1}b", "\u{7F}", nil])
    func strangeIdentifiers(_ identifier: String?) async throws {
        let identifier = identifier ?? String(repeating: "x", count: 5000)
        let headers: HTTPHeaderFields = ["Content-Type": "text/event-stream"]
        let transport = MockTransport(answers: [
            MockAnswer(.ok, headers: headers, body: "id: \(identifier)\nretry: 0\ndata: a\n\n"),
            MockAnswer(.ok, headers: headers, body: "data: b\n\n"),
        ])
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        var events = dispatcher.serverSentEvents(for: Fixture.request).makeAsyncIterator()
        let first = try await events.next()
        #expect(first?.id == identifier)
        #expect(try await events.next()?.data == "b")
        #expect(transport.requests.map { $0["Last-Event-ID"] } == [nil, nil])
    }

    @Test("Events of a POST are asked for once", arguments: [false, true])
    func eventsOfAPost(_ isAskedFor: Bool) async throws {
        let headers: HTTPHeaderFields = ["Content-Type": "text/event-stream"]
        let transport = MockTransport(answers: [
            MockAnswer(.ok, headers: headers, body: "retry: 0\ndata: a\n\n"),
            MockAnswer(.ok, headers: headers, body: "data: again\n\n"),
        ])
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        var request = Fixture.request
        request.httpMethod = "POST"
        request.httpBody = Data("{}".utf8)
        let reconnection = ServerSentEventReconnection(repeatsOtherMethods: isAskedFor)
        var received: [String] = []
        for try await event in dispatcher.serverSentEvents(for: request, reconnection: reconnection) {
            received.append(event.data)
        }
        #expect(received == ["a"])
        #expect(transport.requests.count == 1)
    }

    @Test func progressAndReconnectionsGoByTheSameClock() async throws {
        let headers: HTTPHeaderFields = ["Content-Type": "text/event-stream"]
        let transport = MockTransport(
            answers: [
                MockAnswer(.ok, headers: headers, body: "retry: 1000000\ndata: a\n\n"),
                MockAnswer(.ok, headers: headers, body: "data: b\n\n"),
            ],
            clock: clock
        )
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        // Without a limit, only the task that is about to connect again sleeps.
        let options = RequestOptions(timeouts: Self.timeouts())
        var events = dispatcher.serverSentEvents(for: Fixture.request, options: options).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        let advance = Task {
            await clock.sleeps(1)
            clock.advance(by: .seconds(100_000))
        }
        #expect(try await events.next()?.data == "b")
        await advance.value
    }
}
