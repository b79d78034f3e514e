import PiuPiuFutures

extension Future {
    /// Adds a handler that receives the value, on the main queue; the same as with the context ``onMainQueue``.
    ///
    /// - Parameter successHandler: Runs on the main queue, at once if the promise is fulfilled on the main thread. It does not
    ///   run if the promise is rejected.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onSuccess(successHandler: @escaping @MainActor @Sendable (T) -> Void) -> Future {
        onSuccess(onMainQueue, successHandler: successHandler)
    }

    /// Adds a handler that receives the value, on the main queue.
    ///
    /// - Parameters:
    ///   - context: `onMainQueue` or `onMainQueue(after:)`.
    ///   - successHandler: Runs on the main queue, at once if the promise is ended on the main thread.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onSuccess(_ context: MainQueue, successHandler: @escaping @MainActor @Sendable (T) -> Void) -> Future {
        observeValue { _ = context(successHandler)($0) }
    }

    /// Adds a handler that receives the value, in an execution context.
    ///
    /// - Parameters:
    ///   - context: A function of the form `(A throws -> B) -> (A -> Future<B>)`, such as `onBackgroundQueue`.
    ///   - successHandler: Runs where the context calls it.
    /// - Returns: This future.
    @preconcurrency @discardableResult public func onSuccess(
        _ context: sending @escaping ExecutionContextFor<T>,
        successHandler: @escaping @Sendable (T) -> Void
    ) -> Future {
        let context = Operand(context)
        return observeValue { _ = try? context(successHandler)($0) }
    }

    /// Adds a handler that receives the value, in an execution context.
    ///
    /// - Parameters:
    ///   - context: The execution context.
    ///   - successHandler: Runs where the context calls it.
    /// - Returns: This future.
    @preconcurrency @_disfavoredOverload @discardableResult public func onSuccess(
        _ context: sending @escaping ExecutionContext,
        successHandler: @escaping @Sendable (T) -> Void
    ) -> Future {
        let context = Operand(context)
        return observeValue { value in _ = try? context({ successHandler(value) })() }
    }

    /// Adds a handler that receives the value, on a queue, as in Futuristics 0.3.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - successHandler: Runs on the queue, never at once.
    /// - Returns: This future.
    @preconcurrency @discardableResult
    public func onSuccess(on queue: DispatchQueue, successHandler: @escaping @Sendable (T) -> Void) -> Future {
        observeValue { value in queue.async { successHandler(value) } }
    }

    /// Adds a handler that runs on the thread that fulfills the promise.
    private func observeValue(_ handler: @escaping @Sendable (T) -> Void) -> Future {
        observe { if case .success(let value) = $0 { handler(value) } }
    }
}
