import PiuPiuAsync

/// A place where tasks wait until a test lets them go on: what tests use instead of sleeping.
public final class Gate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var nextID = 0
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// Creates a closed gate.
    public init() {}

    /// How many tasks have come to the gate, those that have left it included.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func wait() async throws {
        let (id, observers) = state.withLock { state in
            state.nextID += 1
            state.arrivals += 1
            let arrivals = state.arrivals
            let due = state.observers.filter { $0.count <= arrivals }.map(\.continuation)
            state.observers.removeAll { $0.count <= arrivals }
            return (state.nextID, due)
        }
        for observer in observers { observer.resume() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if state.isOpen { return .success(()) }
                    state.waiters[id] = waiter
                    return nil
                }
                if let outcome { waiter.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
                state.cancelled.insert(id)
                return nil
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Lets every task through, now and later.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when tasks have come to the gate.
    ///
    /// - Parameter count: How many.
    public func arrival(of count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.arrivals < count { state.observers.append((count, continuation)) }
                return state.arrivals >= count
            }
            if isDue { continuation.resume() }
        }
    }
}
