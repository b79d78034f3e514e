import PiuPiuFutures

/// The state of a future and its observers: a pure value.
///
///     pending ── end ──▶ delivering(outcome) ◀── add / no more handlers ──▶ ended(outcome)
///        └──── abandon ──▶ abandoned
///
/// | State | `add` a handler | `wait` | `end` | `abandon` |
/// |---|---|---|---|---|
/// | pending | keeps it | keeps the waiter | returns the waiters; the caller delivers | returns handlers and waiters |
/// | delivering | keeps it for ``nextHandlers()`` | returns the outcome | does nothing | does nothing |
/// | ended | keeps it, and returns the outcome: the caller delivers | returns the outcome | does nothing | does nothing |
/// | abandoned | drops it | returns ``FutureError/unresolved`` | does nothing | does nothing |
///
/// One thread delivers at a time, and handlers that are added meanwhile follow the others. Handlers are therefore called in
/// the order in which they were added, regardless of the thread that ends the promise.
///
/// Only the first ``end(_:)`` has an effect. A future is abandoned if its promise is released while it is pending: its
/// handlers never run, but a waiter must not wait forever.
///
/// Functions return objects that are no longer needed, because releasing them can run the caller's code, which must not
/// happen under a lock.
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

    /// Ends the future, the first time, and returns the waiters; `nil` if it had already ended or was abandoned.
    ///
    /// The caller first calls the handlers that ``nextHandlers()`` returns, and then the waiters.
    mutating func end(_ outcome: Outcome) -> [UUID: Waiter]? {
        guard phase == .pending else { return nil }
        (self.outcome, phase) = (outcome, .delivering)
        defer { observers.waiters = [:] }
        return observers.waiters
    }

    /// Returns the handlers that were added so far and are to be called next; none at the end of the delivery.
    mutating func nextHandlers() -> [Handler] {
        if observers.handlers.isEmpty { phase = .ended }
        return takeObservers().handlers
    }

    /// Abandons a pending future, and returns the handlers, only to be released, and the waiters; `nil` if it is not pending.
    mutating func abandon() -> Observers? {
        guard phase == .pending else { return nil }
        phase = .abandoned
        return takeObservers()
    }

    /// Adds a handler, and returns the outcome if the caller has to deliver it to ``nextHandlers()``.
    ///
    /// It returns `nil` if the future is pending or abandoned, or if another thread delivers.
    mutating func add(_ handler: Handler) -> Outcome? {
        if phase != .abandoned { observers.handlers.append(handler) }
        guard phase == .ended else { return nil }
        phase = .delivering
        return outcome
    }

    /// Adds a waiter to a pending future; otherwise returns the outcome to resume the waiter with at once.
    mutating func wait(_ waiter: Waiter, _ id: UUID) -> Outcome? {
        if let outcome { return outcome }
        if phase == .abandoned { return .failure(FutureError.unresolved) }
        observers.waiters[id] = waiter
        return nil
    }

    /// Removes a waiter, and returns it; `nil` if it was already returned.
    mutating func removeWaiter(_ id: UUID) -> Waiter? {
        observers.waiters.removeValue(forKey: id)
    }

    private mutating func takeObservers() -> Observers {
        defer { observers = Observers() }
        return observers
    }
}
