/// Whether a dispatcher takes requests, how many are under way, and who waits for the last: a pure value.
///
///     open ── close ──▶ closing ── last call ends ──▶ closed
///       └─ close, with nothing under way ────────────────┘
package struct DispatcherLifecycle<Waiter, Operation> {
    package private(set) var isOpen = true
    package private(set) var callCount = 0
    /// Whether everything under way was cancelled.
    package private(set) var isInvalidated = false
    private var operations: [Int: Operation] = [:]
    private var nextID = 0
    private var waiters: [Waiter] = []

    package init() {}

    /// Whether it is closed and nothing is under way.
    package var isClosed: Bool { !isOpen && callCount == 0 }

    /// A call begins.
    ///
    /// - Parameter isPart: Whether it is a part of another that is under way, which closing lets end.
    /// - Returns: `false` where it is refused, because the dispatcher was closed.
    package mutating func begin(isPart: Bool = false) -> Bool {
        guard isOpen || isPart && callCount > 0 && !isInvalidated else { return false }
        callCount += 1
        return true
    }

    /// A call ends.
    ///
    /// - Returns: Whoever waited for it, where it was the last of a closed dispatcher; otherwise `nil`.
    package mutating func end() -> [Waiter]? {
        callCount -= 1
        guard isClosed else { return nil }
        defer { waiters = [] }
        return waiters
    }

    /// Refuses new calls.
    ///
    /// - Returns: Whether this closed it and nothing was under way.
    package mutating func close() -> Bool {
        guard isOpen else { return false }
        isOpen = false
        return callCount == 0
    }

    /// Waits for the last call of a closed dispatcher.
    ///
    /// - Parameter waiter: Who waits.
    /// - Returns: Whether there is nothing to wait for, so that the waiter goes on at once.
    package mutating func wait(_ waiter: Waiter) -> Bool {
        guard !isClosed else { return true }
        waiters.append(waiter)
        return false
    }

    /// Remembers something to cancel.
    ///
    /// - Parameter operation: The operation.
    /// - Returns: What to forget it by; `nil` where everything was cancelled already, so that it has to be too.
    package mutating func register(_ operation: Operation) -> Int? {
        guard !isInvalidated else { return nil }
        nextID += 1
        operations[nextID] = operation
        return nextID
    }

    /// Forgets an operation that has ended.
    ///
    /// - Parameter id: What ``register(_:)`` returned.
    /// - Returns: The operation, to be released outside of any lock.
    @discardableResult
    package mutating func forget(_ id: Int) -> Operation? {
        operations.removeValue(forKey: id)
    }

    /// Refuses new calls and hands out everything there is to cancel.
    ///
    /// - Returns: The operations; they are forgotten.
    package mutating func invalidate() -> [Operation] {
        isOpen = false
        isInvalidated = true
        defer { operations = [:] }
        return Array(operations.values)
    }
}
