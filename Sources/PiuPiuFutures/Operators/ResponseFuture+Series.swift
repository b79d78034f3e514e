extension ResponseFuture {
    /// A callback that creates the next future, on the main actor.
    public typealias SeriesCallback<NewSuccess> = @MainActor @Sendable (Success) throws -> NewSuccess

    /// Continues with another future, and produces only its value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future, on the main actor. `nil` cancels the new future; an error ends it.
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

    /// Continues with another future, and produces both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future, on the main actor. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of both values.
    public func seriesJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, NewSuccess)> {
        replace((Success, NewSuccess).self) { value in try callback(value)?.then { (value, $0) } }
    }

    /// Continues with another future, if there is one, and produces both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future, on the main actor; if it returns `nil`, there is no second value.
    /// - Returns: A future of both values.
    public func seriesNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, NewSuccess?)> {
        replace((Success, NewSuccess?).self) { value in
            try callback(value)?.then { (value, $0) } ?? ResponseFuture<(Success, NewSuccess?)>(result: (value, nil))
        }
    }

    /// Continues with another future, and produces its error as a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future, on the main actor. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of the value and the other result. It is cancelled if the other one is.
    public func safeSeriesJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>)> {
        seriesJoin(Result<NewSuccess, any Error>.self) { try callback($0)?.safeResult() }
    }

    /// Continues with another future, if there is one, and produces its error as a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future, on the main actor; if it returns `nil`, there is no second result.
    /// - Returns: A future of the value and the other result. It is cancelled if the other one is.
    public func safeSeriesNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>?)> {
        seriesNullableJoin(Result<NewSuccess, any Error>.self) { try callback($0)?.safeResult() }
    }
}

extension ResponseFuture where Success: Sequence, Success.Element: Sendable {
    /// Continues with another future, and adds its value to the elements.
    ///
    /// - Parameter callback: Creates the other future, on the main actor. `nil` cancels the new future; an error ends
    ///   it.
    /// - Returns: A future of all elements.
    public func addingSeriesResult(
        from callback: @escaping SeriesCallback<ResponseFuture<Success.Element>?>
    ) -> ResponseFuture<[Success.Element]> {
        seriesJoin(Success.Element.self, callback: callback).then { Array($0.0) + [$0.1] }
    }
}
