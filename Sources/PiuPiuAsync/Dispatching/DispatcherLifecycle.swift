/// The lifecycle of a dispatcher as a pure value: whether it accepts calls, how many are in progress, and the waiters.
///
///     open ── close ──▶ closing ── last call ends ──▶ closed
///       └─ close, without calls ─────────────────────────┘
package struct DispatcherLifecycle<Waiter, Operation> {
    package private(set) var isOpen = true
    package private(set) var callCount = 0
    /// Whether every operation in progress was cancelled.
    package private(set) var isInvalidated = false
    /// Whether the dispatcher was released before it was closed or invalidated, or while calls were in progress.
    package private(set) var wasReleased = false
    private var operations: [Int: Operation] = [:]
    /// What long work does when the dispatcher closes, so that it ends.
    private var departures: [Int: Operation] = [:]
    private var nextID = 0
    private var waiters: [Waiter] = []

    package init() {}

    /// Whether the dispatcher is closed and nothing is in progress.
    package var isClosed: Bool { !isOpen && callCount == 0 }

    /// Begins a call; returns `false` if the dispatcher is closed.
    package mutating func begin() -> Bool {
        guard isOpen else { return false }
        callCount += 1
        return true
    }

    /// Ends a call; returns the waiters to resume if this was the last call of a closed dispatcher.
    package mutating func end() -> [Waiter]? {
        callCount -= 1
        guard isClosed else { return nil }
        defer { waiters = [] }
        return waiters
    }

    /// Refuses new calls; returns `true` if this call closed the dispatcher and nothing is in progress.
    package mutating func close() -> Bool {
        guard isOpen else { return false }
        isOpen = false
        return callCount == 0
    }

    /// Returns, once, what long work does now that the dispatcher is closed.
    package mutating func takeDepartures() -> [Operation] {
        defer { departures = [:] }
        return Array(departures.values)
    }

    /// Adds a waiter for the last call of a closed dispatcher; returns `true` instead if there is nothing to wait for.
    package mutating func wait(_ waiter: Waiter) -> Bool {
        guard !isClosed else { return true }
        waiters.append(waiter)
        return false
    }

    /// Registers an operation that can be cancelled; returns its identifier for ``forget(_:)``.
    ///
    /// Returns `nil` if everything was cancelled already; the caller must then cancel this operation too. `departure` is called
    /// if the dispatcher closes meanwhile.
    package mutating func register(_ operation: Operation, departure: Operation? = nil) -> Int? {
        guard !isInvalidated else { return nil }
        nextID += 1
        operations[nextID] = operation
        if let departure, isOpen { departures[nextID] = departure }
        return nextID
    }

    /// Removes an operation that has ended; the caller releases it outside any lock.
    @discardableResult
    package mutating func forget(_ id: Int) -> (Operation?, departure: Operation?) {
        (operations.removeValue(forKey: id), departures.isEmpty ? nil : departures.removeValue(forKey: id))
    }

    /// Refuses new calls, removes every registered operation, and returns them for cancellation.
    package mutating func invalidate(isRelease: Bool = false) -> [Operation] {
        wasReleased = wasReleased || isRelease && !isInvalidated && !isClosed
        isOpen = false
        isInvalidated = true
        defer { (operations, departures) = ([:], [:]) }
        return Array(operations.values)
    }
}
