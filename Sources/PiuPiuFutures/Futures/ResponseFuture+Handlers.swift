extension ResponseFuture {
    /// Sets the handler that receives the value.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error handler.
    /// - Returns: This future. A previously set handler is replaced.
    public func success(_ handler: @escaping SuccessHandler) -> ResponseFuture<Success> {
        set { $0.success = { try handler(FutureBox.value(in: $0)) } }
    }

    /// Sets the handler that receives the value.
    ///
    /// - Parameter handler: Runs on the main actor.
    /// - Returns: This future.
    @available(*, deprecated, renamed: "success(_:)")
    public func response(_ handler: @escaping SuccessHandler) -> ResponseFuture<Success> {
        success(handler)
    }

    /// Sets the handler that receives the error, including an error that the success handler threw.
    ///
    /// - Parameter handler: Runs on the main actor.
    /// - Returns: This future. A previously set handler is replaced.
    public func error(_ handler: @escaping ErrorHandler) -> ResponseFuture<Success> {
        set { $0.error = handler }
    }

    /// Sets the handler that runs last, regardless of the outcome.
    ///
    /// - Parameter handler: Runs on the main actor, once.
    /// - Returns: This future. A previously set handler is replaced.
    public func completion(_ handler: @escaping CompletionHandler) -> ResponseFuture<Success> {
        set { $0.completion = handler }
    }

    /// Sets the handler that runs if the future was cancelled.
    ///
    /// - Parameter handler: Runs on the main actor.
    /// - Returns: This future. A previously set handler is replaced.
    public func cancellation(_ handler: @escaping CancellationHandler) -> ResponseFuture<Success> {
        set { $0.cancellation = handler }
    }

    /// Sets the handler that receives the progress of the requests in this chain.
    ///
    /// - Parameter handler: Runs on the main actor, with the newest progress; older progress is skipped.
    /// - Returns: This future. A previously set handler is replaced.
    public func updated(_ handler: @escaping TaskCallback) -> ResponseFuture<Success> {
        set { $0.updated = handler }
    }

    /// Sets the handler that receives the value or the error; it is not called if the future is cancelled.
    ///
    /// - Parameter handler: Runs on the main actor. It replaces the success and error handlers.
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
        core.set(self, change)
        return self
    }
}
