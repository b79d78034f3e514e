import PiuPiuFutures

/// The state of a future with its observers: a pure value.
///
///     pending ── end ──▶ delivering(outcome) ── no more handlers ──▶ ended(outcome)
///        └──── abandon ──▶ abandoned
///
/// | State | `add` a handler | `wait` | `end` | `abandon` |
/// |---|---|---|---|---|
/// | pending | keeps it | keeps the waiter | hands out handlers and waiters | hands out handlers and waiters |
/// | delivering | keeps it for ``moreHandlers()`` | returns the outcome | does nothing | does nothing |
/// | ended | returns the outcome, for the handler to run at once | returns the outcome | does nothing | does nothing |
/// | abandoned | drops it | returns ``FutureError/unresolved`` | does nothing | does nothing |
///
/// A handler that is added while others run follows them, so that handlers run in the order in which they were added,
/// whichever thread ends the promise in between.
///
/// The first ``end(_:)`` is the only one that counts. A future is abandoned if its promise is released while it is
/// pending: its handlers never run, but a waiter must not wait forever.
///
/// Functions hand out what is no longer needed, because releasing it can run code of the caller, which must not happen
/// under a lock.
struct FutureMachine<Value: Sendable, Handler: Sendable, Waiter: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>

    /// The handlers in the order in which they were added, and the waiters.
    struct Observers: Sendable {
        var handlers: [Handler] = []
        var waiters: [UUID: Waiter] = [:]
    }

    private enum Phase { case pending, delivering, ended, abandoned }

    /// The outcome; `nil` until the promise has ended.
    private(set) var outcome: Outcome?
    private var phase = Phase.pending
    private(set) var observers = Observers()

    /// Ends the future, the first time.
    ///
    /// - Parameter outcome: The value or the error.
    /// - Returns: The observers to tell, the handlers first; `nil` if the future had ended or was abandoned.
    mutating func end(_ outcome: Outcome) -> Observers? {
        guard phase == .pending else { return nil }
        (self.outcome, phase) = (outcome, .delivering)
        return takeObservers()
    }

    /// Returns the handlers that were added while the others ran.
    ///
    /// - Returns: The handlers to run next; `nil` if there are none, so that later handlers run at once.
    mutating func moreHandlers() -> [Handler]? {
        if observers.handlers.isEmpty { phase = .ended }
        return phase == .ended ? nil : takeObservers().handlers
    }

    /// Gives up a pending future whose promise was released.
    ///
    /// - Returns: The handlers, only to be released, and the waiters to tell; `nil` if the future is not pending.
    mutating func abandon() -> Observers? {
        guard phase == .pending else { return nil }
        phase = .abandoned
        return takeObservers()
    }

    /// Adds a handler.
    ///
    /// - Parameter handler: The handler; it is kept until its turn if the future is pending or others run.
    /// - Returns: The outcome for the handler to run with at once; `nil` if it was kept or dropped.
    mutating func add(_ handler: Handler) -> Outcome? {
        if phase == .pending || phase == .delivering { observers.handlers.append(handler) }
        return phase == .ended ? outcome : nil
    }

    /// Adds a waiter.
    ///
    /// - Parameters:
    ///   - waiter: The waiter; it is not kept if the future is not pending.
    ///   - id: An identifier to remove it with.
    /// - Returns: The outcome to resume it with at once; `nil` if the future is pending.
    mutating func wait(_ waiter: Waiter, _ id: UUID) -> Outcome? {
        if let outcome { return outcome }
        if phase == .abandoned { return .failure(FutureError.unresolved) }
        observers.waiters[id] = waiter
        return nil
    }

    /// Removes a waiter that no longer waits.
    ///
    /// - Parameter id: The waiter's identifier.
    /// - Returns: The waiter; `nil` if it was handed out before.
    mutating func removeWaiter(_ id: UUID) -> Waiter? {
        observers.waiters.removeValue(forKey: id)
    }

    private mutating func takeObservers() -> Observers {
        defer { observers = Observers() }
        return observers
    }
}
