extension ResponseFuture {
    /// A callback that creates the next future.
    ///
    /// It runs on the actor it was written on. Any other callback runs on the main actor if the chain was started on the
    /// main thread, and otherwise in the background.
    public typealias SeriesCallback<NewSuccess> = @isolated(any) @Sendable (Success) throws -> NewSuccess

    /// Continues with another future, and produces only its value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of the other value.
    public func replace<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        @_inheritActorContext callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<NewSuccess> {
        continuing(Callback(callback))
    }

    /// Continues with another future, and produces both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of both values.
    public func seriesJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        @_inheritActorContext callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, NewSuccess)> {
        continuing(Callback(callback).map { value, callback in try callback(value)?.then { (value, $0) } })
    }

    /// Continues with another future, if there is one, and produces both values.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future; if it returns `nil`, there is no second value.
    /// - Returns: A future of both values.
    public func seriesNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        @_inheritActorContext callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, NewSuccess?)> {
        continuing(
            Callback(callback).map { value, callback in
                try callback(value)?.then { (value, $0) }
                    ?? ResponseFuture<(Success, NewSuccess?)>(result: (value, nil))
            }
        )
    }

    /// Continues with another future, and produces its error as a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of the value and the other result. It is cancelled if the other one is.
    public func safeSeriesJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        @_inheritActorContext callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>)> {
        continuing(
            Callback(callback).map { value, callback in try callback(value)?.safeResult().then { (value, $0) } }
        )
    }

    /// Continues with another future, if there is one, and produces its error as a value.
    ///
    /// - Parameters:
    ///   - type: The type of the other value.
    ///   - callback: Creates the other future; if it returns `nil`, there is no second result.
    /// - Returns: A future of the value and the other result. It is cancelled if the other one is.
    public func safeSeriesNullableJoin<NewSuccess: Sendable>(
        _ type: NewSuccess.Type,
        @_inheritActorContext callback: @escaping SeriesCallback<ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<(Success, Result<NewSuccess, any Error>?)> {
        continuing(
            Callback(callback).map { value, callback in
                try callback(value)?.safeResult().then { (value, $0) }
                    ?? ResponseFuture<(Success, Result<NewSuccess, any Error>?)>(result: (value, nil))
            }
        )
    }

    /// Continues with a future that an object of an older API wraps, and produces its value.
    ///
    /// - Parameters:
    ///   - callback: Creates the object that wraps the other future. `nil` cancels the new future; an error ends it.
    ///   - future: Returns the other future from the value of this one and the object.
    /// - Returns: A future of the other value.
    package func continuing<Next: Sendable, NewSuccess: Sendable>(
        with callback: @escaping @isolated(any) @Sendable (Success) throws -> Next?,
        future: @escaping @Sendable (Success, Next) -> ResponseFuture<NewSuccess>
    ) -> ResponseFuture<NewSuccess> {
        continuing(
            Callback(callback).map { value, callback in try callback(value).map { future(value, $0) } }
        )
    }

    /// Continues with another future, and produces its value.
    private func continuing<NewSuccess: Sendable>(
        _ callback: Callback<Success, ResponseFuture<NewSuccess>?>
    ) -> ResponseFuture<NewSuccess> {
        ResponseFuture<NewSuccess>(
            after: self,
            .next { outcome, context in
                let value = FutureBox<Success>.value(in: try outcome.get())
                guard let next = try await callback.call(value, context.run) else { throw CancellationError() }
                return next
            }
        )
    }
}

extension ResponseFuture where Success: Sequence, Success.Element: Sendable {
    /// Continues with another future, and adds its value to the elements.
    ///
    /// - Parameter callback: Creates the other future. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of all elements.
    public func addingSeriesResult(
        @_inheritActorContext from callback: @escaping SeriesCallback<ResponseFuture<Success.Element>?>
    ) -> ResponseFuture<[Success.Element]> {
        seriesJoin(Success.Element.self, callback: callback).then { Array($0.0) + [$0.1] }
    }
}
