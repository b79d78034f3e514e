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
        let other = callback()
        return beside { try await other.value($0) }
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
        let other = callback()
        return beside { try await other?.value($0) }
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
        let other = callback()
        return beside { try await other.result($0) }
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
        let other = callback()
        return beside { try await other?.result($0) }
    }

    private func beside<NewSuccess: Sendable>(
        _ other: @escaping @Sendable (FutureContext) async throws -> NewSuccess
    ) -> ResponseFuture<(Success, NewSuccess)> {
        chained { future, context in
            // Not `async let`, which would look at the second error only after the first value.
            try await withThrowingTaskGroup(of: Side<Success, NewSuccess>.self) { group in
                group.addTask { .left(try await future.value(context)) }
                group.addTask { .right(try await other(context)) }
                var left: Success?
                var right: NewSuccess?
                for try await side in group {
                    switch side {
                    case .left(let value): left = value
                    case .right(let value): right = value
                    }
                }
                guard let left, let right else { throw CancellationError() }
                return (left, right)
            }
        }
    }
}

private enum Side<Left: Sendable, Right: Sendable>: Sendable {
    case left(Left)
    case right(Right)
}
