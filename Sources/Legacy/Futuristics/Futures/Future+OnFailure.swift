import PiuPiuFutures

extension Future {
    /// Adds a handler that receives the error, on the main queue; the same as with the context ``onMainQueue``.
    ///
    /// - Parameter failureHandler: Runs later on the main queue, never inside the call that ends the promise or adds the
    ///   handler. It does not run if the promise is fulfilled.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onFailure(failureHandler: @escaping @MainActor @Sendable (any Error) -> Void) -> Future {
        onFailure(onMainQueue, failureHandler: failureHandler)
    }

    /// Adds a handler that receives the error, on the main queue.
    ///
    /// - Parameters:
    ///   - context: `onMainQueue` or `onMainQueue(after:)`.
    ///   - failureHandler: Runs later on the main queue, never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onFailure(_ context: MainQueue, failureHandler: @escaping @MainActor @Sendable (any Error) -> Void)
        -> Future
    {
        observeError { error in context.post { failureHandler(error) } }
    }

    /// Adds a handler that receives the error, in an execution context.
    ///
    /// - Parameters:
    ///   - context: A function of the form `(A throws -> B) -> (A -> Future<B>)`, such as `onBackgroundQueue`.
    ///   - failureHandler: Runs where the context calls it. The future calls the context on a background thread, after the
    ///     contexts of earlier handlers, and never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @discardableResult public func onFailure(
        _ context: sending @escaping ExecutionContextFor<any Error>,
        failureHandler: @escaping @Sendable (any Error) -> Void
    ) -> Future {
        let context = Operand(context)
        return observeError(callsContext: true) { _ = try? context(failureHandler)($0) }
    }

    /// Adds a handler that receives the error, in an execution context.
    ///
    /// - Parameters:
    ///   - context: The execution context.
    ///   - failureHandler: Runs where the context calls it. The future calls the context on a background thread, after the
    ///     contexts of earlier handlers, and never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @_disfavoredOverload @discardableResult public func onFailure(
        _ context: sending @escaping ExecutionContext,
        failureHandler: @escaping @Sendable (any Error) -> Void
    ) -> Future {
        let context = Operand(context)
        return observeError(callsContext: true) { error in _ = try? context({ failureHandler(error) })() }
    }

    /// Adds a handler that receives the error, on a queue, as in Futuristics 0.3.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - failureHandler: Runs later on the queue.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onFailure(on queue: DispatchQueue, failureHandler: @escaping @Sendable (any Error) -> Void) -> Future {
        observeError { error in queue.async { failureHandler(error) } }
    }

    /// Adds an observer of the error.
    private func observeError(
        callsContext: Bool = false,
        _ handler: @escaping @Sendable (any Error) -> Void
    ) -> Future {
        observe(callsContext: callsContext) { if case .failure(let error) = $0 { handler(error) } }
    }
}
