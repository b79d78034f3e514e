import PiuPiuAsync

/// A clock that stands still until a test moves it.
///
/// Pass it to a ``MockTransport``, and everything above the transport follows it: answers, time limits, deadlines, and the
/// waits of policies such as `RetryPolicy`. Nothing waits in real time. Wait for a sleeper before moving the clock, because a
/// task that begins to sleep afterwards sleeps for its whole duration from the new time:
///
/// ```swift
/// let clock = ManualClock()
/// let transport = MockTransport(answers: [MockAnswer(.serviceUnavailable), MockAnswer(.ok)], clock: clock)
/// let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [RetryPolicy()])
///
/// async let response = dispatcher.data(for: request)
/// try await clock.sleepers(within: .seconds(20))
/// clock.advance(by: .seconds(20))
/// #expect(try await response.statusCode == .ok)
/// ```
///
/// `TransferClock(clock).instant` is the clock's current time as an instant for `RequestOptions.deadline`.
///
/// A sleeping task goes through three states: announced, asleep, and ended. It ends once, when the clock reaches its time or
/// when the task is cancelled; the later of the two events has no effect. A task that is cancelled before it is asleep never
/// sleeps. Any number of tasks may use the clock at the same time.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public let offset: Duration

        /// Returns a later time.
        ///
        /// - Parameter duration: The duration to add; negative for an earlier time.
        /// - Returns: The time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time until another instant.
        ///
        /// - Parameter other: The other instant.
        /// - Returns: The duration, which is negative if the other instant is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Compares two times.
        ///
        /// - Parameters:
        ///   - lhs: A time.
        ///   - rhs: Another time.
        /// - Returns: Whether the first time is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private typealias Machine = ManualClockState<CheckedContinuation<Void, any Error>>

    private let state = Locked(Machine())
    /// The instant that corresponds to zero.
    let origin = ContinuousClock.now

    /// Creates a clock at zero.
    public init() {}

    /// The current time.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }

    /// The smallest step of the clock: zero, because the clock can move by any duration.
    public var minimumResolution: Duration { .zero }

    /// The times at which sleeping tasks wake, as durations since the clock was created, earliest first.
    ///
    /// There is one for each sleeping task. A cancelled task has none.
    public var deadlines: [Duration] { state.withLock { $0.deadlines } }

    /// Moves the clock, and wakes the tasks whose time has come, earliest first.
    ///
    /// The method returns at once; the tasks continue on their own. Tasks that begin to sleep later measure from the new time.
    ///
    /// - Parameter duration: The duration to add; a negative duration counts as zero. The clock ends after 292 billion years.
    public func advance(by duration: Duration) {
        for waiter in state.withLock({ $0.advance(by: duration) }) { waiter.resume() }
    }

    /// Waits until tasks sleep on the clock.
    ///
    /// A mock that delays an answer or enforces a time limit sleeps on its clock as well. Use `duration` to wait only for tasks
    /// that wake soon: `Timeouts.idle`, for example, is sixty seconds.
    ///
    /// - Parameters:
    ///   - count: The minimum number of tasks that must sleep at the same time.
    ///   - duration: Counts only tasks that wake within this time from now; `nil` counts all tasks.
    /// - Returns: The remaining time of each counted task, shortest first: the duration by which to move the clock to wake it.
    /// - Throws: `CancellationError` if the task is cancelled, for example by the time limit of a test.
    @discardableResult
    public func sleepers(_ count: Int = 1, within duration: Duration? = nil) async throws -> [Duration] {
        let condition = ManualClockCondition.count(count, within: duration)
        try await wait(for: condition)
        return state.withLock { $0.waits(of: condition) }
    }

    /// Waits until the clock reaches a time, or returns at once if it already has.
    ///
    /// - Parameters:
    ///   - deadline: The time.
    ///   - tolerance: Not used.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await suspend { $0.sleep($1, until: deadline.offset, $2) }
    }

    // MARK: For tests of this package

    /// The number of tasks that have begun to sleep, including those that did not have to.
    package var sleepCount: Int { state.withLock { $0.sleepCount } }

    /// Waits until a condition holds, or throws `CancellationError` if the task is cancelled first.
    package func wait(for condition: ManualClockCondition) async throws {
        try await suspend { $0.wait($1, for: condition, $2) }
    }

    /// Announces a task, lets it wait, and resumes the continuations that are due as a result.
    private func suspend(
        _ begin: @Sendable (inout Machine, _ id: Int, CheckedContinuation<Void, any Error>) -> Machine.Action
    ) async throws {
        let id = state.withLock { $0.announce() }
        defer { state.showOrder() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let action = state.withLock { begin(&$0, id, continuation) }
                if action.isCancelled { continuation.resume(throwing: CancellationError()) }
                for waiter in action.due { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
        }
    }
}
