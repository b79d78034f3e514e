import PiuPiuFutures

extension Future {
    /// Adds a handler that runs on the main queue after success and after failure; the same as with the context
    /// ``onMainQueue``.
    ///
    /// - Parameter handler: Runs later on the main queue, never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func finally(handler: @escaping @MainActor @Sendable () -> Void) -> Future {
        finally(onMainQueue, handler: handler)
    }

    /// Adds a handler that runs after success and after failure, on the main queue.
    ///
    /// - Parameters:
    ///   - context: `onMainQueue` or `onMainQueue(after:)`.
    ///   - handler: Runs later on the main queue, never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func finally(_ context: MainQueue, handler: @escaping @MainActor @Sendable () -> Void) -> Future {
        observe { _ in context.post(handler) }
    }

    /// Adds a handler that runs after success and after failure, in an execution context.
    ///
    /// - Parameters:
    ///   - context: A function of the form `(A throws -> B) -> (A -> Future<B>)`, such as `onBackgroundQueue`.
    ///   - handler: Runs where the context calls it. The future calls the context on a background thread, after the contexts of
    ///     earlier handlers, and never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @discardableResult public func finally(
        _ context: sending @escaping ExecutionContextFor<Void>,
        handler: @escaping @Sendable () -> Void
    ) -> Future {
        let context = Operand(context)
        return observe(callsContext: true) { _ in _ = try? context({ (_: Void) in handler() })(()) }
    }

    /// Adds a handler that runs after success and after failure, in an execution context.
    ///
    /// - Parameters:
    ///   - context: The execution context.
    ///   - handler: Runs where the context calls it. The future calls the context on a background thread, after the contexts of
    ///     earlier handlers, and never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @_disfavoredOverload @discardableResult public func finally(
        _ context: sending @escaping ExecutionContext,
        handler: @escaping @Sendable () -> Void
    ) -> Future {
        let context = Operand(context)
        return observe(callsContext: true) { _ in _ = try? context(handler)() }
    }

    /// Adds a handler that runs after success and after failure, on a queue, as in Futuristics 0.3.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - handler: Runs later on the queue.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func finally(on queue: DispatchQueue, handler: @escaping @Sendable () -> Void) -> Future {
        observe { _ in queue.async(execute: handler) }
    }
}
