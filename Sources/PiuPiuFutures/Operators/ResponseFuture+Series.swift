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
        followed(by: callback) { _, next, context in
            guard let next else { throw CancellationError() }
            return try await next.value(context)
        }
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
        followed(by: callback) { value, next, context in
            guard let next else { throw CancellationError() }
            return (value, try await next.value(context))
        }
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
        followed(by: callback) { value, next, context in (value, try await next?.value(context)) }
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
        followed(by: callback) { value, next, context in
            guard let next else { throw CancellationError() }
            return (value, try await next.result(context))
        }
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
        followed(by: callback) { value, next, context in (value, try await next?.result(context)) }
    }

    private func followed<Next: Sendable, NewSuccess: Sendable>(
        by callback: @escaping SeriesCallback<ResponseFuture<Next>?>,
        _ combine: @escaping @Sendable (Success, ResponseFuture<Next>?, FutureContext) async throws -> NewSuccess
    ) -> ResponseFuture<NewSuccess> {
        chained { future, context in
            let value = try await future.value(context)
            return try await combine(value, try await callback(value), context)
        }
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
