extension ResponseFuture {
    /// Makes the future to go on with, on the main actor.
    public typealias SeriesCallback<NewSuccess> = @MainActor @Sendable (Success) throws -> NewSuccess

    /// Goes on with another future, and gives its value alone.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, on the main actor; `nil` cancels, and what it throws ends the new future.
    /// - Returns: A future of the other value.
    public func replace<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<NewSuccess> {
        ResponseFuture<NewSuccess>(
            after: self,
            .operation { outcome, context in
                let value = FutureBox<Success>.value(in: try outcome.get())
                guard let next = try await callback(value) else { throw CancellationError() }
                return try await next.core.value(next, context)
            }
        )
    }

    /// Goes on with another future, and gives both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, on the main actor; `nil` cancels, and what it throws ends the new future.
    /// - Returns: A future of both values.
    public func seriesJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, NewSuccess)> {
        replace((Success, NewSuccess).self) { value in try callback(value)?.then { (value, $0) } }
    }

    /// Goes on with another future, if there is one, and gives both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, on the main actor; `nil` gives no second value.
    /// - Returns: A future of both values.
    public func seriesNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, NewSuccess?)> {
        replace((Success, NewSuccess?).self) { value in
            try callback(value)?.then { (value, $0) } ?? ResponseFuture<(Success, NewSuccess?)>(result: (value, nil))
        }
    }

    /// Goes on with another future, whose error is a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, on the main actor; `nil` cancels, and what it throws ends the new future.
    /// - Returns: A future of the value and the other result. It is cancelled where the other one is.
    public func safeSeriesJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>)> {
        seriesJoin(Result<NewSuccess, any Error>.self) { try callback($0)?.safeResult() }
    }

    /// Goes on with another future, if there is one, whose error is a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Makes the other future, on the main actor; `nil` gives no second result.
    /// - Returns: A future of the value and the other result. It is cancelled where the other one is.
    public func safeSeriesNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>?)> {
        seriesNullableJoin(Result<NewSuccess, any Error>.self) { try callback($0)?.safeResult() }
    }
}

extension ResponseFuture where Success: Sequence, Success.Element: Sendable {
    /// Goes on with another future, and adds its value to the elements.
    ///
    /// - Parameter callback: Makes the other future, on the main actor; `nil` cancels, and what it throws ends the new
    ///   future.
    /// - Returns: A future of all elements.
    public func addingSeriesResult(
        from callback: @escaping SeriesCallback<ResponseFuture<Success.Element>?>
    ) -> ResponseFuture<[Success.Element]> {
        seriesJoin(Success.Element.self, callback: callback).then { Array($0.0) + [$0.1] }
    }
}
