import PiuPiuAsync

/// A clock that stands still until a test moves it.
///
/// Give it to a ``MockTransport``, and everything above the transport follows it: answers, time limits, deadlines, and the
/// waits of policies such as `RetryPolicy`. Nothing waits in real time. Wait for a sleeper before moving the clock, because a
/// task that falls asleep afterwards sleeps for its whole time again:
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
/// `TransferClock(clock).instant` is the clock's present as an instant for `RequestOptions.deadline`.
///
/// A task that sleeps is in one of three states: announced, asleep, and ended. It ends once, when the clock reaches its time
/// or when the task is cancelled, whichever comes first; the other then does nothing. A task that is cancelled before it is
/// asleep never falls asleep. The clock may be used by any number of tasks at once.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public let offset: Duration

        /// A later time.
        ///
        /// - Parameter duration: How much later; negative for an earlier time.
        /// - Returns: The time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time that passes until another instant.
        ///
        /// - Parameter other: The other instant.
        /// - Returns: The duration, which is negative if the other instant is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Compares two times.
        ///
        /// - Parameters:
        ///   - lhs: A time.
        ///   - rhs: Another time.
        /// - Returns: Whether the first is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private typealias Machine = ManualClockState<CheckedContinuation<Void, any Error>>

    private let state = Locked(Machine())
    /// The instant that stands for zero.
    let origin = ContinuousClock.now

    /// Creates a clock at zero.
    public init() {}

    /// The present.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }

    /// How finely the clock can be moved: without a limit.
    public var minimumResolution: Duration { .zero }

    /// The times at which tasks will be woken, as durations since the clock was created, the earliest first.
    ///
    /// Each task that sleeps has one. One that is cancelled no longer has.
    public var deadlines: [Duration] { state.withLock { $0.deadlines } }

    /// Moves the clock, and wakes the tasks whose time has come, the earliest first.
    ///
    /// The method returns at once; the tasks continue on their own. Those that fall asleep later measure from the new time.
    ///
    /// - Parameter duration: By how much; a negative duration counts as zero. The clock ends after 292 billion years.
    public func advance(by duration: Duration) {
        for waiter in state.withLock({ $0.advance(by: duration) }) { waiter.resume() }
    }

    /// Waits until tasks sleep on the clock.
    ///
    /// A mock that waits with an answer, or that guards a time limit, sleeps on its clock as well. Use `duration` to wait for
    /// those only that will be woken soon: `Timeouts.idle`, for example, is sixty seconds.
    ///
    /// - Parameters:
    ///   - count: How many tasks must sleep at the same time, at least.
    ///   - duration: Counts only tasks that will be woken within this time from the clock's present; `nil` for all tasks.
    /// - Returns: How long each of the counted tasks still sleeps, from the clock's present, the shortest first: by how much to
    ///   move the clock to wake it.
    /// - Throws: `CancellationError` if the task is cancelled, by the time limit of a test, for example.
    @discardableResult
    public func sleepers(_ count: Int = 1, within duration: Duration? = nil) async throws -> [Duration] {
        let condition = ManualClockCondition.count(count, within: duration)
        try await wait(for: condition)
        return state.withLock { $0.waits(of: condition) }
    }

    /// Waits until the clock is moved to a time; for a time that has come, returns at once.
    ///
    /// - Parameters:
    ///   - deadline: The time.
    ///   - tolerance: Not used.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await suspend { $0.sleep($1, until: deadline.offset, $2) }
    }

    // MARK: For tests of this package

    /// How many tasks have begun to sleep, including those that did not have to.
    package var sleepCount: Int { state.withLock { $0.sleepCount } }

    /// Waits until a condition holds.
    ///
    /// - Parameter condition: The condition.
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func wait(for condition: ManualClockCondition) async throws {
        try await suspend { $0.wait($1, for: condition, $2) }
    }

    /// Announces a task, lets it wait, and resumes the continuations that this makes due.
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
