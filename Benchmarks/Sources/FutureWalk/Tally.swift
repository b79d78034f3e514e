import PiuPiuAsync

/// A number that only grows, and for which tests wait instead of sleeping.
public final class Tally: Sendable {
    private struct State {
        var count = 0
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// Creates a tally of zero.
    public init() {}

    /// How often ``add()`` was called.
    public var count: Int { state.withLock { $0.count } }

    /// Counts one more.
    public func add() {
        let due = state.withLock { state in
            state.count += 1
            let count = state.count
            let due = state.observers.filter { $0.count <= count }.map(\.continuation)
            state.observers.removeAll { $0.count <= count }
            return due
        }
        for continuation in due { continuation.resume() }
    }

    /// Returns when a number is reached.
    ///
    /// - Parameter count: The number.
    public func reach(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count < count { state.observers.append((count, continuation)) }
                return state.count >= count
            }
            if isReached { continuation.resume() }
        }
    }
}
