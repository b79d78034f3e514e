import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// The instants that transports with one clock have in common.
@Suite(.timeLimit(.generous))
struct TransferClockTests {
    @Test func theInstantsOfOneManualClockAreTheSame() async throws {
        let clock = ManualClock()
        let first = TransferClock(clock)
        clock.advance(by: .seconds(5))
        let second = TransferClock(clock)
        #expect(first.instant == second.instant)
        let start = first.instant
        clock.advance(by: .milliseconds(120))
        #expect(start.duration(to: second.instant) == .milliseconds(120))
        try await second.sleep(until: start.advanced(by: .milliseconds(120)))
        #expect(clock.sleepCount == 1 && clock.deadlines == [])
    }

    @Test func aMockHasTheInstantsOfItsClock() {
        let clock = ManualClock()
        clock.advance(by: .seconds(1))
        let mocks = [MockTransport(answers: [], clock: clock), MockTransport(answers: [], clock: clock)]
        #expect(mocks.map { $0.clock?.instant } == [TransferClock(clock).instant, TransferClock(clock).instant])
    }

    @Test func instantsOfRealTimeAreThoseOfTheContinuousClock() {
        let before = ContinuousClock.now
        let instants = [TransferClock(ContinuousClock()).instant, TransferClock(ContinuousClock()).instant]
        #expect(before <= instants[0] && instants[0] <= instants[1] && instants[1] <= .now)
    }

    /// One deadline for calls over two dispatchers.
    @Test(arguments: 0..<20)
    func aDeadlineEndsTheCallsOfSeveralDispatchers(round: Int) async throws {
        let clock = ManualClock()
        let mocks = (0..<2).map { _ in MockTransport(answers: [.hang], clock: clock) }
        let now = TransferClock(clock).instant
        let tasks = mocks.map { mock in
            Task {
                let dispatcher = URLRequestDispatcher(transport: mock)
                var options = dispatcher.configuration.options
                options.deadline = now + .milliseconds(120)
                return try await dispatcher.data(for: Fixture.request, options: options)
            }
        }
        for mock in mocks { _ = try await mock.requests(atLeast: 1) }
        let waits = try await clock.sleepers(2, within: .milliseconds(120))
        #expect(waits == [.milliseconds(120), .milliseconds(120)])
        clock.advance(by: .milliseconds(120))
        if waits.count < 2 { for task in tasks { task.cancel() } }
        for task in tasks {
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .timeout(.total))
        }
    }

    @Test func aDeadlineThatIsNowSendsNothing() async throws {
        let clock = ManualClock()
        let now = TransferClock(clock).instant
        let mock = MockTransport(answers: [MockAnswer(.ok)], clock: clock)
        let dispatcher = URLRequestDispatcher(transport: mock)
        var options = dispatcher.configuration.options
        options.deadline = now
        let error = await #expect(throws: TransportError.self) {
            try await dispatcher.data(for: Fixture.request, options: options)
        }
        #expect(error?.code == .timeout(.total))
        #expect(mock.requests.isEmpty)
    }
}
