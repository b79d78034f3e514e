import PiuPiuFutures

// Each operator returns a new future; starting it starts this future.
extension ResponseFuture {
    /// Transforms the value into a new value.
    ///
    /// - Parameters:
    ///   - queue: The queue on which `callback` runs; if `nil`, the default, it runs on a background thread.
    ///   - callback: Makes the new value; an error it throws ends the new future.
    /// - Returns: A future of the new value.
    @preconcurrency public func then<U: Sendable>(
        on queue: DispatchQueue? = nil,
        _ callback: @escaping @Sendable (T) throws -> U
    ) -> ResponseFuture<U> {
        ResponseFuture<U>(underlying.then(on: queue, callback), parts: parts)
    }

    /// Continues with another future, and produces only its value.
    ///
    /// - Parameter callback: Creates the other future. `nil` cancels the new future; an error ends it. It runs on the
    ///   actor it was written on; any other callback runs on the main actor if the chain was sent from the main thread.
    /// - Returns: A future of the other value.
    @preconcurrency public func replace<U: Sendable>(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (T) throws -> ResponseFuture<U>?
    ) -> ResponseFuture<U> {
        ResponseFuture<U>(underlying.continuing(with: callback) { $1.underlying }, parts: parts + 1)
    }

    /// Continues with another future, and produces both values.
    ///
    /// - Parameter callback: Creates the other future from the value of this one, on the same actor or thread as in
    ///   ``replace(_:)``. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of both values.
    @preconcurrency public func join<U: Sendable>(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable (T) throws -> ResponseFuture<U>?
    ) -> ResponseFuture<(T, U)> {
        let both = underlying.continuing(with: callback) { value, next in next.underlying.then { (value, $0) } }
        return ResponseFuture<(T, U)>(both, parts: parts + 1)
    }

    /// Runs another future at the same time, and produces both values.
    ///
    /// The first error cancels the other side and ends the new future. Cancelling either side does the same.
    ///
    /// - Parameter callback: Creates the other future when the new future is started, on the same actor or thread as in
    ///   ``replace(_:)``. `nil` cancels the new future; an error ends it.
    /// - Returns: A future of both values.
    @preconcurrency public func join<U: Sendable>(
        @_inheritActorContext _ callback: @escaping @isolated(any) @Sendable () throws -> ResponseFuture<U>?
    ) -> ResponseFuture<(T, U)> {
        let both = underlying.parallelJoin(U.self) {
            PiuPiuFutures.ResponseFuture(result: ()).continuing(with: callback) { $1.underlying }
        }
        return ResponseFuture<(T, U)>(both, parts: parts + 1)
    }
}
