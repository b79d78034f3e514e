/// What the work of a future finds around it.
struct FutureContext: Sendable {
    /// Ends the task that all of this runs in; `nil` where that is not ours to end.
    let canceller: FutureCanceller?
    /// The future the work belongs to, which wants to know of progress.
    let receiver: (any UpdateReceiver)?
}

extension ResponseFuture {
    /// Waits for the value, and does the work for it right here where nobody began it.
    ///
    /// A chain of futures runs so in a single task. Cancelling the task cancels the future.
    ///
    /// - Parameter context: What runs around it.
    /// - Returns: The value.
    /// - Throws: The error the future ended with.
    func value(_ context: FutureContext) async throws -> Success {
        let (work, outcome, isUndelivered) = state.withLock { state in
            if let receiver = context.receiver { state.forward(to: receiver) }
            let work = state.start()
            if case .operation = work, let canceller = context.canceller { _ = state.add(canceller) }
            return (work, state.outcome, state.isUndelivered)
        }
        // Whoever ended it may not have come to sending its handlers ahead of those of who waits here.
        if isUndelivered { deliver() }
        if let outcome { return try outcome.get() }
        switch work {
        case .operation(let operation):
            return try await run(operation, FutureContext(canceller: context.canceller, receiver: self)).get()
        case .value(let value):
            finish(.success(value))
            return value
        case .action(let action): Task.isCancelled ? cancel() : run(action)
        case nil: break
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let (outcome, isUndelivered) = state.withLock { ($0.wait(waiter), $0.isUndelivered) }
                if isUndelivered { deliver() }
                if let outcome { waiter.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }

    func run(_ action: ActionCallback) {
        do {
            try action(self)
        } catch {
            fail(with: error)
        }
    }

    /// Does the work and ends the future with it, unless something else did so before.
    @discardableResult
    func run(
        _ operation: @Sendable (FutureContext) async throws -> Success,
        _ context: FutureContext
    ) async -> Result<Success, any Error> {
        guard context.canceller?.enter(self) ?? !Task.isCancelled else { return finish(.failure(CancellationError())) }
        let outcome: Result<Success, any Error>
        do {
            outcome = .success(try await operation(context))
        } catch {
            // Work that was cancelled may end with any error.
            outcome = .failure(Task.isCancelled ? CancellationError() : error)
        }
        context.canceller?.leave()
        return finish(outcome)
    }
}
