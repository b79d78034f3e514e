import PiuPiuFutures

extension Future {
    /// Adds a handler that receives the value, on the main queue; the same as with the context ``onMainQueue``.
    ///
    /// - Parameter successHandler: Runs later on the main queue, never inside the call that ends the promise or adds the
    ///   handler. It does not run if the promise is rejected.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onSuccess(successHandler: @escaping @MainActor @Sendable (T) -> Void) -> Future {
        onSuccess(onMainQueue, successHandler: successHandler)
    }

    /// Adds a handler that receives the value, on the main queue.
    ///
    /// - Parameters:
    ///   - context: `onMainQueue` or `onMainQueue(after:)`.
    ///   - successHandler: Runs later on the main queue, never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onSuccess(_ context: MainQueue, successHandler: @escaping @MainActor @Sendable (T) -> Void) -> Future {
        observeValue { value in context.post { successHandler(value) } }
    }

    /// Adds a handler that receives the value, in an execution context.
    ///
    /// - Parameters:
    ///   - context: A function of the form `(A throws -> B) -> (A -> Future<B>)`, such as `onBackgroundQueue`.
    ///   - successHandler: Runs where the context calls it. The future calls the context on a background thread, after the
    ///     contexts of earlier handlers, and never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @discardableResult public func onSuccess(
        _ context: sending @escaping ExecutionContextFor<T>,
        successHandler: @escaping @Sendable (T) -> Void
    ) -> Future {
        let context = Operand(context)
        return observeValue(callsContext: true) { _ = try? context(successHandler)($0) }
    }

    /// Adds a handler that receives the value, in an execution context.
    ///
    /// - Parameters:
    ///   - context: The execution context.
    ///   - successHandler: Runs where the context calls it. The future calls the context on a background thread, after the
    ///     contexts of earlier handlers, and never inside the call that ends the promise or adds the handler.
    /// - Returns: This future.
    @preconcurrency @_disfavoredOverload @discardableResult public func onSuccess(
        _ context: sending @escaping ExecutionContext,
        successHandler: @escaping @Sendable (T) -> Void
    ) -> Future {
        let context = Operand(context)
        return observeValue(callsContext: true) { value in _ = try? context({ successHandler(value) })() }
    }

    /// Adds a handler that receives the value, on a queue, as in Futuristics 0.3.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - successHandler: Runs later on the queue.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onSuccess(on queue: DispatchQueue, successHandler: @escaping @Sendable (T) -> Void) -> Future {
        observeValue { value in queue.async { successHandler(value) } }
    }

    /// Adds an observer of the value.
    private func observeValue(callsContext: Bool = false, _ handler: @escaping @Sendable (T) -> Void) -> Future {
        observe(callsContext: callsContext) { if case .success(let value) = $0 { handler(value) } }
    }
}
