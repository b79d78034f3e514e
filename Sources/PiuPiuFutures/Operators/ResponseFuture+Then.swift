extension ResponseFuture {
    /// Makes another value of the value.
    ///
    /// - Parameters:
    ///   - queue: Where `callback` runs; `nil`, the default, for a thread in the background.
    ///   - callback: Makes the new value; what it throws ends the new future.
    /// - Returns: A future of the new value, which starts this one when it is started.
    @inlinable
    public func then<NewSuccess: Sendable>(
        on queue: DispatchQueue? = nil,
        _ callback: @escaping @Sendable (Success) throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        if let queue { return then(onQueue: queue, callback) }
        return ResponseFuture<NewSuccess>(
            after: self,
            .transform { FutureBox(try callback(FutureBox.value(in: try $0.get()))) }
        )
    }

    @usableFromInline
    func then<NewSuccess: Sendable>(
        onQueue queue: DispatchQueue,
        _ callback: @escaping @Sendable (Success) throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        ResponseFuture<NewSuccess>(
            after: self,
            .operation { outcome, _ in
                let value = FutureBox<Success>.value(in: try outcome.get())
                return FutureBox(try await queue.run { try callback(value) })
            }
        )
    }

    /// Makes another value of the value.
    ///
    /// - Parameters:
    ///   - type: The type of the new value.
    ///   - queue: Where `callback` runs; `nil`, the default, for a thread in the background.
    ///   - callback: Makes the new value; what it throws ends the new future.
    /// - Returns: A future of the new value, which starts this one when it is started.
    public func then<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        on queue: DispatchQueue? = nil,
        _ callback: @escaping @Sendable (Success) throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        then(on: queue, callback)
    }

    /// Makes another value of the value; the same as ``then(_:on:_:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the new value.
    ///   - queue: Where `successCallback` runs; `nil`, the default, for a thread in the background.
    ///   - successCallback: Makes the new value; what it throws ends the new future.
    /// - Returns: A future of the new value, which starts this one when it is started.
    public func map<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        on queue: DispatchQueue? = nil,
        successCallback: @escaping @Sendable (Success) throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        then(on: queue, successCallback)
    }

    /// Makes a value of the value or of the error.
    ///
    /// - Parameters:
    ///   - type: The type of the new value.
    ///   - callback: Makes the new value, once, in the background; what it throws ends the new future. It is not called
    ///     where this future is cancelled.
    /// - Returns: A future of the new value, which starts this one when it is started.
    public func thenResult<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping @Sendable (Result<Success, any Error>) throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        ResponseFuture<NewSuccess>(
            after: self,
            .transform { FutureBox(try callback(try $0.uncancelled().map { FutureBox.value(in: $0) })) }
        )
    }

    /// Makes an error a value.
    ///
    /// - Returns: A future that succeeds also where this one fails. It is cancelled where this one is.
    public func safeResult() -> ResponseFuture<Result<Success, any Error>> {
        thenResult(Result<Success, any Error>.self) { $0 }
    }
}

extension Result {
    /// The value or the error; throws where it is a cancellation.
    func uncancelled() throws -> Self {
        if case .failure(let error) = self, error is CancellationError { throw error }
        return self
    }
}

extension DispatchQueue {
    /// Runs a closure on this queue and waits for it without blocking.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}
