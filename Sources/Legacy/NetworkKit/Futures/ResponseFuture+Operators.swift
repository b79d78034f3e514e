import PiuPiuFutures

extension ResponseFuture {
    /// Transforms the value into a new value.
    ///
    /// - Parameter callback: Makes the new value; an error it throws ends the new future.
    /// - Returns: A future of the new value, which starts this one when it is sent.
    @preconcurrency public func then<U: Sendable>(_ callback: @escaping ChainStep<T, U>) -> ResponseFuture<U> {
        ResponseFuture<U>(core: core.thenResult(U.self) { try callback(try $0.get()) })
    }

    /// Continues with another future, and produces only its value.
    ///
    /// - Parameter callback: Makes the other future, on the main actor. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of the other value.
    @preconcurrency
    public func replace<U: Sendable>(_ callback: @escaping MainStep<T, ResponseFuture<U>?>) -> ResponseFuture<U> {
        ResponseFuture<U>(core: core.replace(U.self) { try callback($0)?.core })
    }

    /// Continues with another future, and produces both values.
    ///
    /// - Parameter callback: Makes the other future, on the main actor. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of both values.
    @preconcurrency
    public func join<U: Sendable>(_ callback: @escaping MainStep<T, ResponseFuture<U>?>) -> ResponseFuture<(T, U)> {
        ResponseFuture<(T, U)>(core: core.seriesJoin(U.self) { try callback($0)?.core })
    }
}
