import PiuPiuAsync

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// A later time.
        ///
        /// - Parameter duration: By how much.
        /// - Returns: The time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time to another instant.
        ///
        /// - Parameter other: The other instant.
        /// - Returns: How much later that is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Compares two times.
        ///
        /// - Parameters:
        ///   - lhs: A time.
        ///   - rhs: Another time.
        /// - Returns: Whether the first is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var now = Duration.zero
        var sleepers: [Int: (deadline: Duration, waiter: Waiter)] = [:]
        var cancelled: Set<Int> = []
        var nextID = 0
    }

    private let state = Locked(State())

    /// Counts the tasks that have begun to sleep.
    public let sleeps = Tally()

    /// Creates a clock at zero.
    public init() {}

    /// The present.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }

    /// How finely it can be moved.
    public var minimumResolution: Duration { .zero }

    /// The times until which tasks sleep now, the earliest first.
    public var deadlines: [Duration] { state.withLock { $0.sleepers.values.map(\.deadline).sorted() } }

    /// Returns when a task sleeps until a time.
    ///
    /// - Parameter deadline: The time, as a distance from the clock's beginning.
    public func sleeper(until deadline: Duration) async {
        while true {
            // A task that comes later is counted after this.
            let count = sleeps.count
            if deadlines.contains(deadline) { return }
            await sleeps.reach(count + 1)
        }
    }

    /// Advances the clock, and wakes the tasks that are due.
    ///
    /// - Parameter duration: By how much.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let now = state.now
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { $0.key < $1.key }.map(\.value.waiter)
        }
        for waiter in due { waiter.resume() }
    }

    /// Waits until the clock was moved far enough.
    ///
    /// - Parameters:
    ///   - deadline: Until when.
    ///   - tolerance: Not used.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if state.now >= deadline.offset { return .success(()) }
                    state.sleepers[id] = (deadline.offset, waiter)
                    return nil
                }
                sleeps.add()
                if let outcome { waiter.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper.waiter }
                state.cancelled.insert(id)
                return nil
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
