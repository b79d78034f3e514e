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
    /// - Parameter callback: Makes the other future. `nil` cancels the new future; an error ends it. It runs on the
    ///   actor it was written on; any other callback runs on the main actor if the chain was sent from the main thread.
    /// - Returns: A future of the other value.
    @preconcurrency
    public func replace<U: Sendable>(@_inheritActorContext _ callback: @escaping NextStep<T, U>) -> ResponseFuture<U> {
        ResponseFuture<U>(core: core.continuing(with: callback) { $1.core })
    }

    /// Continues with another future, and produces both values.
    ///
    /// - Parameter next: Makes the other future, on the same actor or thread as in ``replace(_:)``. `nil` cancels the new
    ///   future; an error ends it.
    /// - Returns: A future of both values.
    @preconcurrency
    public func join<U: Sendable>(@_inheritActorContext _ next: @escaping NextStep<T, U>) -> ResponseFuture<(T, U)> {
        ResponseFuture<(T, U)>(core: core.continuing(with: next) { value, other in other.core.then { (value, $0) } })
    }
}
