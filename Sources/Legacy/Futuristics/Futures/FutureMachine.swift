import PiuPiuFutures

/// The state of a future with its observers: a pure value.
///
///     pending ── end ──▶ delivering(outcome) ◀── add / no more handlers ──▶ ended(outcome)
///        └──── abandon ──▶ abandoned
///
/// | State | `add` a handler | `wait` | `end` | `abandon` |
/// |---|---|---|---|---|
/// | pending | keeps it | keeps the waiter | hands out the waiters; the caller delivers | hands out handlers and waiters |
/// | delivering | keeps it for ``nextHandlers()`` | returns the outcome | does nothing | does nothing |
/// | ended | keeps it, and returns the outcome: the caller delivers | returns the outcome | does nothing | does nothing |
/// | abandoned | drops it | returns ``FutureError/unresolved`` | does nothing | does nothing |
///
/// One thread delivers at a time, and a handler that is added meanwhile follows the others, so that handlers are called in
/// the order in which they were added, whichever thread ends the promise in between.
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
    /// - Returns: The waiters to tell, after the handlers that ``nextHandlers()`` returns; `nil` if the future had ended or
    ///   was abandoned.
    mutating func end(_ outcome: Outcome) -> [UUID: Waiter]? {
        guard phase == .pending else { return nil }
        (self.outcome, phase) = (outcome, .delivering)
        defer { observers.waiters = [:] }
        return observers.waiters
    }

    /// Hands out the handlers that were added so far.
    ///
    /// - Returns: The handlers to call next; none at the end of the delivery.
    mutating func nextHandlers() -> [Handler] {
        if observers.handlers.isEmpty { phase = .ended }
        return takeObservers().handlers
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
    /// - Parameter handler: The handler; it is kept until its turn, unless the future was abandoned.
    /// - Returns: The outcome to deliver to ``nextHandlers()``; `nil` if the future is pending or abandoned, or another
    ///   thread delivers.
    mutating func add(_ handler: Handler) -> Outcome? {
        if phase != .abandoned { observers.handlers.append(handler) }
        guard phase == .ended else { return nil }
        phase = .delivering
        return outcome
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
