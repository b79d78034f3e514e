import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// The time limits of shared exchanges, and of the calls that share them.
@Suite(.timeLimit(.generous)) struct CoalescingLimitTests {
    /// The deadlines that requests have behind the policy.
    private final class Peek: Interceptor {
        let deadlines = Locked<[ContinuousClock.Instant?]>([])
        var distinguishesCallers: Bool { false }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            deadlines.withLock { $0.append(request.deadline) }
            return try await next(request)
        }
    }

    private let policy = Coalescing()
    private let peek = Peek()
    private let clock = ManualClock()

    private func options(_ total: Duration?) -> RequestOptions {
        RequestOptions(timeouts: Timeouts(idle: nil, total: total))
    }

    private func dispatcher(
        _ transport: MockTransport,
        _ interceptors: [any Interceptor] = [],
        observers: [any ExchangeObserver] = []
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration(options: options(nil))
        configuration.observers = observers
        return URLRequestDispatcher(
            configuration: configuration,
            interceptors: [policy, peek] + interceptors,
            transport: transport
        )
    }

    private func call(_ dispatcher: URLRequestDispatcher, _ total: Duration?) -> Task<String, any Error> {
        Task { try await dispatcher.data(for: Fixture.request, options: options(total)).decodeString() }
    }

    private func timesOut(_ call: Task<String, any Error>) async throws {
        let error = try await failure { try await call.value }
        #expect(TransportError.Code.timeout(.total) ~= error, "\(error)")
    }

    private func idle(_ transport: MockTransport) async {
        while transport.exchangeCount > 0 || policy.waiterCount > 0 { await Task.yield() }
    }

    // MARK: The exchange

    @Test(arguments: [true, false]) func aSlowServerOpensTheBreakerAndCountsAsATimeout(isShared: Bool) async throws {
        let transport = MockTransport(clock: clock) { _ in .hang }
        let breaker = CircuitBreaker(minimumCalls: 5)
        let statistics = Statistics()
        let dispatcher = dispatcher(transport, [RetryPolicy(retries: 1), breaker], observers: [statistics])
        let time = try #require(transport.clock)
        for count in 1...5 {
            var options = options(isShared ? nil : .milliseconds(400))
            if isShared { options.deadline = time.instant.advanced(by: .milliseconds(400)) }
            let calls = (0..<3).map { [options] _ in
                Task { try await dispatcher.data(for: Fixture.request, options: options).decodeString() }
            }
            _ = try await transport.requests(atLeast: count)
            await policy.waiters(3)
            clock.advance(by: .milliseconds(400))
            for call in calls { try await timesOut(call) }
            await idle(transport)
        }
        while breaker.state(for: Fixture.request) != .open { await Task.yield() }
        #expect(transport.requests.count == 5)
        while statistics.snapshot().total.ended < 5 { await Task.yield() }
        #expect(statistics.snapshot().total.failures == ["timeout(total)": 5])
        #expect(statistics.snapshot().total.cancelled == 0)
    }

    @Test func aStuckExchangeIsLeftForOneNewOne() async throws {
        let transport = MockTransport(answers: [.hang, MockAnswer(.ok, body: "second")], clock: clock)
        let dispatcher = dispatcher(transport)
        let begun = try #require(transport.clock).instant
        let first = call(dispatcher, .milliseconds(400))
        _ = try await transport.requests(atLeast: 1)
        clock.advance(by: .milliseconds(200))
        let joined = (0..<20).map { _ in call(dispatcher, .milliseconds(400)) }
        let last = call(dispatcher, .milliseconds(500))
        await policy.waiters(22)
        clock.advance(by: .milliseconds(200))
        try await timesOut(first)
        for call in joined + [last] { #expect(try await call.value == "second") }
        #expect(transport.requests.count == 2)
        // The one with the most time began it.
        let deadlines = peek.deadlines.withLock { $0 }
        #expect(deadlines == [400, 700].map { begun.advanced(by: .milliseconds($0)) })
        await idle(transport)
        while !clock.deadlines.isEmpty { await Task.yield() }
    }

    /// The wait before the retry would end after the deadline of the call that began.
    @Test(arguments: [true, false])
    func whatIsGivenUpForTheFirstIsTriedAgainForTheOthers(isLost: Bool) async throws {
        let gate = Gate()
        let transport = MockTransport(clock: clock) { request in
            guard gate.arrivals == 0 else { return MockAnswer(.ok, body: "second") }
            try await gate.wait()
            if isLost { throw TransportError(.connectionLost) }
            return MockAnswer(.serviceUnavailable, body: "busy")
        }
        let backoff = Backoff(base: .seconds(5), jitter: .none)
        let dispatcher = dispatcher(transport, [RetryPolicy(retries: 1, backoff: backoff)])
        let first = call(dispatcher, .milliseconds(400))
        await gate.arrival()
        let second = call(dispatcher, .seconds(10))
        await policy.waiters(2)
        gate.open()
        if isLost {
            let error = try await failure { try await first.value }
            #expect(TransportError.Code.connectionLost ~= error, "\(error)")
        } else {
            #expect(try await first.value == "busy")
        }
        #expect(try await second.value == "second")
        #expect(transport.requests.count == 2)
        await idle(transport)
    }

    @Test func thereAreNoMoreExchangesThanCallsWithLimits() async throws {
        let transport = MockTransport(clock: clock) { _ in .hang }
        let dispatcher = dispatcher(transport)
        var calls: [Task<String, any Error>] = []
        // Each has less time than the one before, or as much.
        for index in 0..<10 {
            calls.append(call(dispatcher, .milliseconds(1000 - 100 * index)))
            await policy.waiters(index + 1)
        }
        _ = try await transport.requests(atLeast: 1)
        clock.advance(by: .seconds(1))
        for call in calls { try await timesOut(call) }
        await idle(transport)
        #expect(transport.requests.count == 1)
    }

    @Test func withoutALimitOfTheFirstTheExchangeHasNone() async throws {
        let transport = MockTransport(clock: clock) { _ in MockAnswer(.ok, body: "late", after: .seconds(4)) }
        let dispatcher = dispatcher(transport)
        let first = call(dispatcher, nil)
        _ = try await transport.requests(atLeast: 1)
        let second = call(dispatcher, .seconds(3))
        await policy.waiters(2)
        clock.advance(by: .seconds(3))
        try await timesOut(second)
        clock.advance(by: .seconds(1))
        #expect(try await first.value == "late")
        #expect(transport.requests.count == 1)
        #expect(peek.deadlines.withLock { $0 } == [nil])
    }

    @Test func aCallWithoutALimitWaitsForAnExchangeWithoutOne() async throws {
        let transport = MockTransport(answers: [.hang, MockAnswer(.ok, body: "second")], clock: clock)
        let dispatcher = dispatcher(transport)
        let first = call(dispatcher, .seconds(3))
        _ = try await transport.requests(atLeast: 1)
        let joined = [nil, .seconds(4), nil].map { call(dispatcher, $0) }
        await policy.waiters(4)
        clock.advance(by: .seconds(3))
        try await timesOut(first)
        for call in joined { #expect(try await call.value == "second") }
        #expect(peek.deadlines.withLock { $0.count == 2 && $0[1] == nil })
    }

    @Test func theExchangeKeepsItsLimitWhenTheFirstIsCancelled() async throws {
        let transport = MockTransport(answers: [.hang, MockAnswer(.ok, body: "second")], clock: clock)
        let dispatcher = dispatcher(transport)
        let first = call(dispatcher, .seconds(3))
        _ = try await transport.requests(atLeast: 1)
        clock.advance(by: .seconds(1))
        let second = call(dispatcher, .seconds(3))
        await policy.waiters(2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(transport.exchangeCount == 1)
        clock.advance(by: .seconds(2))
        #expect(try await second.value == "second")
        #expect(transport.requests.count == 2)
    }

    @Test func theLastThatIsCancelledClosesTheSecondExchange() async throws {
        let transport = MockTransport(clock: clock) { _ in .hang }
        let dispatcher = dispatcher(transport)
        let first = call(dispatcher, .seconds(3))
        _ = try await transport.requests(atLeast: 1)
        let joined = (0..<3).map { call(dispatcher, .seconds(5 + $0)) }
        await policy.waiters(4)
        clock.advance(by: .seconds(3))
        try await timesOut(first)
        _ = try await transport.requests(atLeast: 2)
        // The one that began it, then the others.
        for call in joined.reversed() {
            #expect(transport.exchangeCount > 0)
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        await idle(transport)
        #expect(transport.requests.count == 2)
    }

    @Test func anInterceptorThatIgnoresItsLimitIsLeft() async throws {
        let waiters = Locked<[CheckedContinuation<Void, Never>]>([])
        let isFirst = Locked(true)
        let hung = Intercepting(distinguishesCallers: false) { request, next in
            let hangs = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if hangs {
                await withCheckedContinuation { waiter in waiters.withLock { $0.append(waiter) } }
            }
            return try await next(request)
        }
        let transport = MockTransport(clock: clock) { _ in MockAnswer(.ok, body: "second") }
        let dispatcher = dispatcher(transport, [hung])
        let first = call(dispatcher, .seconds(3))
        while waiters.withLock({ $0.isEmpty }) { await Task.yield() }
        let second = call(dispatcher, .seconds(4))
        await policy.waiters(2)
        clock.advance(by: .seconds(3))
        try await timesOut(first)
        #expect(try await second.value == "second")
        for waiter in waiters.withLock({ $0 }) { waiter.resume() }
        await idle(transport)
    }

    @Test func aRefusalForTheDeadlineOfTheFirstIsNotThatOfOthers() async throws {
        let gate = Gate()
        let held = Intercepting(distinguishesCallers: false) { request, next in
            if request.urlRequest.url == Fixture.request.url { try await gate.wait() }
            return try await next(request)
        }
        let transport = MockTransport(clock: clock) { _ in MockAnswer(.ok, body: "in turn") }
        let dispatcher = dispatcher(transport, [held, RateLimit(1, per: .seconds(10), burst: 1)])
        _ = try await dispatcher.data(from: Fixture.url("https://example.com/other"))
        let first = call(dispatcher, .seconds(1))
        await gate.arrival()
        let second = call(dispatcher, .seconds(60))
        await policy.waiters(2)
        gate.open()
        let error = try await failure { try await first.value }
        #expect((error as? LimitError)?.reason == .deadline)
        await clock.sleeper(until: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(try await second.value == "in turn")
    }

    // MARK: The calls

    @Test func eachCallNamesItsOwnLimit() async throws {
        let transport = MockTransport(clock: clock) { _ in .hang }
        let dispatcher = dispatcher(transport)
        let deadline = try #require(transport.clock).instant.advanced(by: .seconds(3))
        let first = call(dispatcher, .seconds(3))
        _ = try await transport.requests(atLeast: 1)
        var options = options(nil)
        options.deadline = deadline
        let second = Task { [options] in
            try await dispatcher.data(for: Fixture.request, options: options).decodeString()
        }
        await policy.waiters(2)
        clock.advance(by: .seconds(3))
        let errors = [try await failure { try await first.value }, try await failure { try await second.value }]
        #expect(
            errors.map { ($0 as? TransportError)?.limit?.setting } == ["options.timeouts.total", "options.deadline"]
        )
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .milliseconds(-1)], [true, false])
    func aPassedDeadlineSendsAndJoinsNothing(_ left: Duration, isShared: Bool) async throws {
        let transport = MockTransport(clock: clock) { _ in .hang }
        let dispatcher = dispatcher(transport)
        var late = options(isShared ? nil : left)
        if isShared { late.deadline = try #require(transport.clock).instant.advanced(by: left) }
        func refused(_ waiting: Int) async throws {
            let error = try await failure { try await dispatcher.data(for: Fixture.request, options: late) }
            #expect(TransportError.Code.timeout(.total) ~= error)
            #expect(policy.waiterCount == waiting)
            #expect(peek.deadlines.withLock { $0.count } == waiting)
        }
        try await refused(0)
        let call = call(dispatcher, .seconds(3))
        _ = try await transport.requests(atLeast: 1)
        try await refused(1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func aServerGetsNothingAfterTheDeadline() async throws {
        let server = try LoopbackServer()
        server.route("/a", .response(body: "ok"))
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [policy])
        var options = dispatcher.configuration.options
        options.timeouts.total = .zero
        for _ in 0..<2 {
            let error = try await failure { try await dispatcher.data(from: server.url("/a"), options: options) }
            #expect(TransportError.Code.timeout(.total) ~= error)
            options.timeouts.total = nil
            options.deadline = .now
        }
        #expect(server.requests.isEmpty)
        #expect(try await dispatcher.data(from: server.url("/a")).decodeString() == "ok")
    }

    // MARK: All at once

    /// Calls with and without limits that join, reach their limits and are cancelled, at random and in real time.
    @Test func aStormEndsEachCallOnceAndLeavesNothing() async throws {
        let transport = MockTransport { _ in
            Bool.random() ? .hang : MockAnswer(.ok, body: "ok", after: .milliseconds(.random(in: 0...20)))
        }
        let dispatcher = dispatcher(transport)
        let faults = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<400 {
                let total = Int.random(in: 0..<5) == 0 ? nil : Duration.milliseconds(.random(in: 0...30))
                let pause = Duration.milliseconds(.random(in: 0...60))
                let patience =
                    total == nil || Int.random(in: 0..<4) == 0 ? Duration.milliseconds(.random(in: 0...30)) : nil
                group.addTask {
                    try? await Task.sleep(for: pause)
                    let call = call(dispatcher, total)
                    if let patience {
                        try? await Task.sleep(for: patience)
                        call.cancel()
                    }
                    do {
                        let text = try await call.value
                        return text == "ok" ? nil : "got \(text)"
                    } catch is CancellationError {
                        return patience != nil ? nil : "was cancelled"
                    } catch {
                        return TransportError.Code.timeout(.total) ~= error && total != nil ? nil : "failed: \(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { if let fault = $1 { $0.append(fault) } }
        }
        #expect(faults == [])
        await idle(transport)
        while !policy.isIdle { await Task.yield() }
        #expect(transport.requests.count <= 400)
    }
}
