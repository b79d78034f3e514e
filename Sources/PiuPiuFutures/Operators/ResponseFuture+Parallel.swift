extension ResponseFuture {
    /// Does two things at the same time, and gives both values.
    ///
    /// The first error cancels the other side and ends the new future. So does cancelling either side.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; it is started with this one.
    /// - Returns: A future of both values.
    public func parallelJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>
    ) -> ResponseFuture<(Success, NewSuccess)> {
        ResponseFuture<(Success, NewSuccess)>(joining: [self, callback()]) { values in
            (FutureBox<Success>.value(in: values[0]), FutureBox<NewSuccess>.value(in: values[1]))
        }
    }

    /// Does two things at the same time, if there is a second, and gives both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; `nil` gives no second value.
    /// - Returns: A future of both values.
    public func parallelNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>?
    ) -> ResponseFuture<(Success, NewSuccess?)> {
        guard let other = callback() else { return then { ($0, nil) } }
        return parallelJoin(NewSuccess?.self) { other.then { $0 } }
    }

    /// Does two things at the same time; an error of the second is a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; it is started with this one.
    /// - Returns: A future of the value and the other result. It is cancelled where the other one is.
    public func safeParallelJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>)> {
        parallelJoin(Result<NewSuccess, any Error>.self) { callback().safeResult() }
    }

    /// Does two things at the same time, if there is a second; an error of the second is a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, now; `nil` gives no second result.
    /// - Returns: A future of the value and the other result. It is cancelled where the other one is.
    public func safeParallelNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: () -> ResponseFuture<NewSuccess>?
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>?)> {
        parallelNullableJoin(Result<NewSuccess, any Error>.self) { callback()?.safeResult() }
    }
}
