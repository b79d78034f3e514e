import PiuPiuFutures

/// A value that is yet to be computed, with handlers for the outcome.
///
/// A future comes from a ``Promise``, which ends it once, with a value or with an error; later ends are ignored. The work
/// has already begun when a function returns a future, so there is nothing to send or to start.
///
/// ```swift
/// fetchName(1).onSuccess(onMainQueue) { name in
///     self.show(name)
/// }.onFailure(onMainQueue) { error in
///     self.show(error)
/// }.finally(onMainQueue) {
///     self.hideLoadingUI()
/// }
/// ```
///
/// A future has any number of handlers, and each runs once. Execution contexts are called in the order in which the handlers
/// were set, on the thread that ends the promise, or on the one that sets the handler if the future has ended; if others are
/// being called, a new one follows them on their thread. Without an execution context, a handler runs as with
/// ``onMainQueue``: at once if that thread is the main thread, and otherwise on the main queue.
///
/// If a promise is released while it is pending, the handlers of its future never run, and ``value`` and the functions
/// that block throw ``FutureError/unresolved``. Releasing a future cancels nothing.
public final class Future<T: Sendable>: Sendable {
    typealias Outcome = Result<T, any Error>
    typealias Observer = @Sendable (Outcome) -> Void

    let machine = Locked(FutureMachine<T, Observer, Observer>())

    init() {}

    /// The state: pending, or ended with the value or the error.
    public var state: FutureState<T> {
        switch machine.withLock({ $0.outcome }) {
        case .success(let value): .fulfilled(value)
        case .failure(let error): .rejected(error)
        case nil: .pending
        }
    }

    /// Returns the value if it is there.
    ///
    /// - Returns: The value the promise was fulfilled with.
    /// - Throws: The error the promise was rejected with; ``FutureError/stillPending`` if the future has not ended.
    public func result() throws -> T {
        try (machine.withLock { $0.outcome } ?? .failure(FutureError.stillPending)).get()
    }

    /// Ends the future, unless it has ended, and calls its observers on this thread.
    func end(_ outcome: Outcome) {
        guard let observers = machine.withLock({ $0.end(outcome) }) else { return }
        NestedCalls.run {
            var next: [Observer]? = observers.handlers
            while let handlers = next {
                for handler in handlers { handler(outcome) }
                next = self.machine.withLock { $0.moreHandlers() }
            }
            for waiter in observers.waiters.values { waiter(outcome) }
        }
    }

    /// Releases the handlers of a future that can no longer end.
    func abandon() {
        var observers = machine.withLock { $0.abandon() }
        for waiter in (observers?.waiters ?? [:]).values { waiter(.failure(FutureError.unresolved)) }
        NestedCalls.release(&observers)
    }

    /// Adds an observer, or calls it on this thread if the future has ended.
    @discardableResult func observe(_ handler: @escaping Observer) -> Future {
        if let outcome = machine.withLock({ $0.add(handler) }) { NestedCalls.run { handler(outcome) } }
        return self
    }

    /// Calls a waiter once: with the outcome, or with an error if there is nothing to wait for.
    func wait(_ id: UUID, _ waiter: @escaping Observer) {
        let outcome = machine.withLock { machine -> Outcome? in
            // Asked under the lock: a task that is cancelled later finds its waiter registered.
            if machine.outcome == nil, Task.isCancelled { return .failure(CancellationError()) }
            return machine.wait(waiter, id)
        }
        if let outcome { waiter(outcome) }
    }
}
