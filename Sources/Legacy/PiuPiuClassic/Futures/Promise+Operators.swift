import PiuPiuFutures

// Each operator returns a new object; starting it starts this promise. Closures run in the background, or on the main
// actor if the chain is started on the main thread.
extension Promise {
    /// Transforms the value of a success into a new value.
    ///
    /// - Parameter callback: Makes the new value; an error it throws ends the new promise.
    /// - Returns: A promise of the new value.
    @preconcurrency public func then<U: Sendable>(
        _ callback: @escaping @Sendable (T) throws -> U
    ) -> Promise<U, E> {
        fold({ .success(try callback($0)) }, { .failure($0) })
    }

    /// Transforms the value of a failure into a new value.
    ///
    /// - Parameter callback: Makes the new value; an error it throws ends the new promise.
    /// - Returns: A promise of the new value.
    @preconcurrency public func thenFailure<U: Sendable>(
        _ callback: @escaping @Sendable (E) throws -> U
    ) -> Promise<T, U> {
        fold({ .success($0) }, { .failure(try callback($0)) })
    }

    /// Converts the promise to a future that ends with an error if this promise fails.
    ///
    /// - Parameter callback: Makes the error from the value of a failure.
    /// - Returns: A future that starts this promise when it is started.
    @preconcurrency @_disfavoredOverload
    public func future(_ callback: @escaping @Sendable (E) throws -> any Error) -> ResponseFuture<T> {
        future { object -> T in throw try callback(object) }
    }

    /// Converts the promise to a future that has a value if this promise fails.
    ///
    /// - Parameter callback: Makes a value from the value of a failure, or throws the error to end with.
    /// - Returns: A future that starts this promise when it is started.
    @preconcurrency public func future(_ callback: @escaping @Sendable (E) throws -> T) -> ResponseFuture<T> {
        ResponseFuture(underlying.thenResult(T.self) { try $0.get().fold({ $0 }, callback) })
    }

    private func fold<U: Sendable, V: Sendable>(
        _ success: @escaping @Sendable (T) throws -> PromiseOutcome<U, V>,
        _ failure: @escaping @Sendable (E) throws -> PromiseOutcome<U, V>
    ) -> Promise<U, V> {
        Promise<U, V>(underlying.thenResult(PromiseOutcome.self) { try $0.get().fold(success, failure) })
    }
}
