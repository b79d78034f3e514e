extension ResponseFuture {
    /// Runs another future at the same time, and produces both values.
    ///
    /// The first error cancels the other side and ends the new future. Cancelling either side does the same.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future; called immediately. The other future is started with this one.
    /// - Returns: A future of both values.
    public func parallelJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>
    ) -> ResponseFuture<(Success, NewSuccess)> {
        ResponseFuture<(Success, NewSuccess)>(joining: [self, callback()]) { values in
            (FutureBox<Success>.value(in: values[0]), FutureBox<NewSuccess>.value(in: values[1]))
        }
    }

    /// Runs another future, if there is one, at the same time, and produces both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future; called immediately. If it returns `nil`, there is no second value.
    /// - Returns: A future of both values.
    public func parallelNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>?
    ) -> ResponseFuture<(Success, NewSuccess?)> {
        guard let other = callback() else { return then { ($0, nil) } }
        return parallelJoin(NewSuccess?.self) { other.then { $0 } }
    }

    /// Runs another future at the same time, and produces its error as a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future; called immediately. The other future is started with this one.
    /// - Returns: A future of the value and the other result. It is cancelled if the other one is.
    public func safeParallelJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>)> {
        parallelJoin(Result<NewSuccess, any Error>.self) { callback().safeResult() }
    }

    /// Runs another future, if there is one, at the same time, and produces its error as a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future; called immediately. If it returns `nil`, there is no second result.
    /// - Returns: A future of the value and the other result. It is cancelled if the other one is.
    public func safeParallelNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>?
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>?)> {
        parallelNullableJoin(Result<NewSuccess, any Error>.self) { callback()?.safeResult() }
    }
}
