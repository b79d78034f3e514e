extension ResponseFuture {
    /// A callback that transforms the value or the error.
    ///
    /// It runs on the same actor or thread as a ``SeriesCallback``.
    public typealias ResultCallback<NewSuccess> =
        @isolated(any) @Sendable (Result<Success, any Error>) throws -> NewSuccess

    /// Transforms the value into a new value.
    ///
    /// - Parameters:
    ///   - queue: The queue on which `callback` runs; if `nil`, the default, it runs on a background thread.
    ///   - callback: Makes the new value; an error it throws ends the new future.
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

    /// Transforms the value into a new value.
    ///
    /// - Parameters:
    ///   - type: The type of the new value.
    ///   - queue: The queue on which `callback` runs; if `nil`, the default, it runs on a background thread.
    ///   - callback: Makes the new value; an error it throws ends the new future.
    /// - Returns: A future of the new value, which starts this one when it is started.
    public func then<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        on queue: DispatchQueue? = nil,
        _ callback: @escaping @Sendable (Success) throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        then(on: queue, callback)
    }

    /// Transforms the value into a new value; the same as ``then(_:on:_:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the new value.
    ///   - queue: The queue on which `successCallback` runs; if `nil`, the default, it runs on a background thread.
    ///   - successCallback: Makes the new value; an error it throws ends the new future.
    /// - Returns: A future of the new value, which starts this one when it is started.
    public func map<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        on queue: DispatchQueue? = nil,
        successCallback: @escaping @Sendable (Success) throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        then(on: queue, successCallback)
    }

    /// Transforms the value or the error into a new value.
    ///
    /// - Parameters:
    ///   - type: The type of the new value.
    ///   - callback: Makes the new value, once; an error it throws ends the new future. It is not called if this future
    ///     is cancelled. It runs on the actor it was written on; any other callback runs on the main actor if the chain
    ///     was started on the main thread, and otherwise in the background.
    /// - Returns: A future of the new value, which starts this one when it is started.
    public func thenResult<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        @_inheritActorContext callback: @escaping ResultCallback<NewSuccess>
    ) -> ResponseFuture<NewSuccess> {
        ResponseFuture<NewSuccess>(
            after: self,
            .callback(
                Callback(callback).map { outcome, callback in
                    FutureBox(try callback(outcome.map { FutureBox.value(in: $0) }))
                }
            )
        )
    }

    /// Produces an error as a value.
    ///
    /// - Returns: A future that succeeds even if this one fails. If this one is cancelled, so is the new one.
    public func safeResult() -> ResponseFuture<Result<Success, any Error>> {
        ResponseFuture<Result<Success, any Error>>(
            after: self,
            .transform { FutureBox(try $0.uncancelled().map { FutureBox<Success>.value(in: $0) }) }
        )
    }
}

extension Result {
    /// The value or the error; throws if the error is a cancellation.
    func uncancelled() throws -> Self {
        if case .failure(let error) = self, error is CancellationError { throw error }
        return self
    }
}

extension DispatchQueue {
    /// Runs a closure on this queue and waits for it without blocking.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        // For the thread sanitizer; each call has its own lock, because a shared one would hide races between calls.
        let order = Locked(())
        defer { order.showOrder() }
        return try await withCheckedThrowingContinuation { continuation in
            async {
                let result = Result { try body() }
                order.showOrder()
                continuation.resume(with: result)
            }
        }
    }
}
