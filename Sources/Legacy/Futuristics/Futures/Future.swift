import PiuPiuFutures

/// A value that becomes available later, with handlers for the outcome.
///
/// A future comes from a ``Promise``, which ends it once, with a value or with an error; later calls have no effect. The
/// work has already begun when a function returns a future, so there is nothing to send or to start.
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
/// A future has any number of handlers, and each runs once. A handler never runs inside the call that ends the promise or
/// that adds the handler: it runs later, on the main queue if it has no execution context. The future calls execution
/// contexts on a background thread, in the order in which the handlers were added.
///
/// If a promise is released while it is pending, the handlers of its future never run, and ``value`` and the blocking
/// functions throw ``FutureError/unresolved``. Releasing a future cancels nothing.
public final class Future<T: Sendable>: Sendable {
    typealias Outcome = Result<T, any Error>
    typealias Waiter = @Sendable (Outcome) -> Void

    struct Observer: Sendable {
        /// Whether the closure calls one of the user's functions.
        let callsContext: Bool
        let call: @Sendable (Outcome) -> Void
    }

    let machine = Locked(FutureMachine<T, Observer, Waiter>())

    init() {}

    /// The state: pending, or ended with the value or the error.
    public var state: FutureState<T> {
        switch machine.withLock({ $0.outcome }) {
        case .success(let value): .fulfilled(value)
        case .failure(let error): .rejected(error)
        case nil: .pending
        }
    }

    /// Returns the value if the promise was fulfilled.
    ///
    /// - Returns: The value the promise was fulfilled with.
    /// - Throws: The error the promise was rejected with; ``FutureError/stillPending`` if the future has not ended.
    public func result() throws -> T {
        try (machine.withLock { $0.outcome } ?? .failure(FutureError.stillPending)).get()
    }

    /// Ends the future, unless it has ended, and notifies its observers.
    func end(_ outcome: Outcome) {
        guard let waiters = machine.withLock({ $0.end(outcome) }) else { return }
        NestedCalls.run {
            self.deliver(outcome)
            for waiter in waiters.values { waiter(outcome) }
        }
    }

    /// Calls the handlers in order, on this thread up to the first one with a user's context.
    ///
    /// That handler and all later ones run on a queue, because the context may block or run its function at once.
    private func deliver(_ outcome: Outcome, _ first: ArraySlice<Observer> = [], isOnQueue: Bool = false) {
        var handlers = first
        repeat {
            while let handler = handlers.first {
                if handler.callsContext, !isOnQueue {
                    let rest = handlers
                    return DispatchQueue(label: "Futuristics").async {
                        self.deliver(outcome, rest, isOnQueue: true)
                    }
                }
                handlers.removeFirst()
                handler.call(outcome)
            }
            handlers = machine.withLock { $0.nextHandlers() }[...]
        } while !handlers.isEmpty
    }

    /// Releases the handlers of a future that can no longer be ended.
    func abandon() {
        var observers = machine.withLock { $0.abandon() }
        for waiter in (observers?.waiters ?? [:]).values { waiter(.failure(FutureError.unresolved)) }
        NestedCalls.release(&observers)
    }

    /// Adds an observer.
    ///
    /// If it calls a function of the user, it runs on its own thread, and otherwise on the thread that ends the future, or on
    /// this one if the future has ended.
    @discardableResult
    func observe(callsContext: Bool = false, _ call: @escaping @Sendable (Outcome) -> Void) -> Future {
        let observer = Observer(callsContext: callsContext, call: call)
        if let outcome = machine.withLock({ $0.add(observer) }) { NestedCalls.run { self.deliver(outcome) } }
        return self
    }

    /// Calls a waiter once, with the outcome, or with an error if there can be no outcome.
    func wait(_ id: UUID, _ waiter: @escaping Waiter) {
        let outcome = machine.withLock { machine -> Outcome? in
            // Checked under the lock, so that a later cancellation finds the waiter registered.
            if machine.outcome == nil, Task.isCancelled { return .failure(CancellationError()) }
            return machine.wait(waiter, id)
        }
        if let outcome { waiter(outcome) }
    }
}
