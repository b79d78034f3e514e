extension ResponseFuture {
    /// Sets what gets the value.
    ///
    /// - Parameter handler: Runs on the main actor. What it throws goes to the error handler.
    /// - Returns: This future. A handler that was set before is replaced.
    public func success(_ handler: @escaping SuccessHandler) -> ResponseFuture<Success> {
        set { $0.success = { try handler(FutureBox.value(in: $0)) } }
    }

    /// Sets what gets the value.
    ///
    /// - Parameter handler: Runs on the main actor.
    /// - Returns: This future.
    @available(*, deprecated, renamed: "success(_:)")
    public func response(_ handler: @escaping SuccessHandler) -> ResponseFuture<Success> {
        success(handler)
    }

    /// Sets what gets the error, also one that the success handler threw.
    ///
    /// - Parameter handler: Runs on the main actor.
    /// - Returns: This future. A handler that was set before is replaced.
    public func error(_ handler: @escaping ErrorHandler) -> ResponseFuture<Success> {
        set { $0.error = handler }
    }

    /// Sets what runs last, however the future ends.
    ///
    /// - Parameter handler: Runs on the main actor, once.
    /// - Returns: This future. A handler that was set before is replaced.
    public func completion(_ handler: @escaping CompletionHandler) -> ResponseFuture<Success> {
        set { $0.completion = handler }
    }

    /// Sets what runs when the future was cancelled.
    ///
    /// - Parameter handler: Runs on the main actor.
    /// - Returns: This future. A handler that was set before is replaced.
    public func cancellation(_ handler: @escaping CancellationHandler) -> ResponseFuture<Success> {
        set { $0.cancellation = handler }
    }

    /// Sets what gets the progress of requests in this chain.
    ///
    /// - Parameter handler: Runs on the main actor, with the newest progress; older ones are skipped.
    /// - Returns: This future. A handler that was set before is replaced.
    public func updated(_ handler: @escaping TaskCallback) -> ResponseFuture<Success> {
        set { $0.updated = handler }
    }

    /// Sets what gets the value or the error; not called where the future is cancelled.
    ///
    /// - Parameter handler: Runs on the main actor. It replaces the handlers of success and error.
    /// - Returns: This future.
    public func result(
        _ handler: @escaping @MainActor @Sendable (Result<Success, any Error>) -> Void
    ) -> ResponseFuture<Success> {
        set { handlers in
            handlers.success = { handler(.success(FutureBox.value(in: $0))) }
            handlers.error = { handler(.failure($0)) }
        }
    }

    private func set(_ change: (inout FutureHandlers<FutureValue>) -> Void) -> ResponseFuture<Success> {
        core.set(change)
        return self
    }
}
