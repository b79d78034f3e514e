import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// A clock that tests move, with tasks that sleep on it.
///
/// Some are repeated, because a race seldom shows in a single run.
@Suite(.timeLimit(.generous))
struct ManualClockTests {
    private let clock = ManualClock()

    private func sleeper(for duration: Duration) -> Task<Duration, any Error> {
        Task {
            try await clock.sleep(for: duration)
            return clock.now.offset
        }
    }

    @Test func wakesThoseWhoseTimeHasCome() async throws {
        let (early, late) = (sleeper(for: .seconds(1)), sleeper(for: .seconds(3)))
        #expect(try await clock.sleepers(2) == [.seconds(1), .seconds(3)])
        clock.advance(by: .seconds(1))
        #expect(try await early.value == .seconds(1))
        #expect(clock.deadlines == [.seconds(3)])
        clock.advance(by: .seconds(2))
        #expect(try await late.value == .seconds(3))
    }

    @Test func aTimeThatHasComeNeedsNoSleep() async throws {
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: clock.now, tolerance: nil)
        try await clock.sleep(for: .zero)
        #expect(clock.deadlines == [])
    }

    @Test func neverGoesBackAndEndsWithoutATrap() {
        clock.advance(by: .seconds(1))
        clock.advance(by: .seconds(-10))
        #expect(clock.now.offset == .seconds(1))
        clock.advance(by: .seconds(Int64.max))
        clock.advance(by: .seconds(Int64.max))
        #expect(clock.now.offset == .seconds(Int64.max))
    }

    @Test func waitsForThoseOnlyThatWakeSoon() async throws {
        let limit = sleeper(for: .seconds(60))
        try await clock.sleepers()
        let waiting = Task { try await clock.sleepers(within: .seconds(10)) }
        let retry = sleeper(for: .seconds(4))
        #expect(try await waiting.value == [.seconds(4)])
        limit.cancel()
        await #expect(throws: CancellationError.self) { try await limit.value }
        #expect(clock.deadlines == [.seconds(4)])
        clock.advance(by: .seconds(4))
        #expect(try await retry.value == .seconds(4))
    }

    /// Each wait is what a policy waits, whatever the clock shows.
    @Test func sleepersReturnsWaitsFromThePresent() async throws {
        let policy = RetryPolicy(retries: 3, backoff: Backoff(base: .milliseconds(500), jitter: .none))
        let transport = MockTransport(answers: [MockAnswer(.serviceUnavailable)], afterLast: .repeatLast, clock: clock)
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
        async let response = dispatcher.data(for: Fixture.request)
        var waits: [Duration] = []
        for _ in 1...3 {
            let wait = try #require(try await clock.sleepers(within: .seconds(20)).first)
            waits.append(wait)
            clock.advance(by: .seconds(2))
        }
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(try await response.statusCode == .serviceUnavailable)
        #expect(clock.deadlines == [])
    }

    @Test func aWaitForSleepersEndsWhenItsTaskIsCancelled() async throws {
        let waiting = Task { try await clock.sleepers() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func aCancelledTaskDoesNotFallAsleep() async throws {
        let gate = Gate()
        let task = Task {
            try? await gate.wait()
            try await clock.sleep(for: .seconds(1))
        }
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.deadlines == [])
        #expect(clock.sleepCount == 0)
    }

    /// Half of the tasks are cancelled while the clock moves: each ends once, by one of the two.
    @Test(arguments: 0..<200)
    func endsOnceWhateverComesFirst(round: Int) async throws {
        let tasks = (1...8).map { sleeper(for: .milliseconds($0)) }
        if round.isMultiple(of: 2) { try await clock.sleepers(8) }
        let mover = Task {
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(3))
                await Task.yield()
            }
        }
        for task in tasks.prefix(4) { task.cancel() }
        for task in tasks.prefix(4) {
            do { _ = try await task.value } catch { #expect(error is CancellationError) }
        }
        for task in tasks.dropFirst(4) { _ = try await task.value }
        mover.cancel()
        await mover.value
        #expect(clock.deadlines == [])
    }

    /// `RetryPolicy` sleeps after the test has seen the request: a clock that is moved too early moves for nobody.
    @Test(arguments: 0..<200)
    func aRetryIsWaitedForWithoutSleeping(round: Int) async throws {
        let answers = [MockAnswer(.serviceUnavailable), MockAnswer(.badGateway), MockAnswer(.ok)]
        let transport = MockTransport(answers: answers, clock: clock)
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [RetryPolicy()])
        async let response = dispatcher.data(for: Fixture.request)
        for _ in 1...2 {
            let waits = try await clock.sleepers(within: .seconds(20))
            clock.advance(by: waits.first ?? .zero)
        }
        #expect(try await response.statusCode == .ok)
        #expect(transport.requests.count == 3)
    }
}
