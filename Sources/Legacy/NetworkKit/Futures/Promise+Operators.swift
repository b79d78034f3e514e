import PiuPiuFutures

extension Promise {
    /// Transforms the value of a success into a new value.
    ///
    /// - Parameter callback: Makes the new value; an error it throws ends the new promise.
    /// - Returns: A promise of the new value, which starts this one when it is sent.
    @preconcurrency public func then<U: Sendable>(_ callback: @escaping ChainStep<T, U>) -> Promise<U, E> {
        fold({ .success(try callback($0)) }, { .failure($0) })
    }

    /// Transforms the value of a failure into a new value.
    ///
    /// - Parameter callback: Makes the new value; an error it throws ends the new promise.
    /// - Returns: A promise of the new value, which starts this one when it is sent.
    @preconcurrency public func thenFailure<U: Sendable>(_ callback: @escaping ChainStep<E, U>) -> Promise<T, U> {
        fold({ .success($0) }, { .failure(try callback($0)) })
    }

    private func fold<U: Sendable, V: Sendable>(
        _ success: @escaping ChainStep<T, PromiseOutcome<U, V>>,
        _ failure: @escaping ChainStep<E, PromiseOutcome<U, V>>
    ) -> Promise<U, V> {
        Promise<U, V>(core: core.thenResult(PromiseOutcome.self) { try $0.get().fold(success, failure) })
    }

    /// Converts the promise to a future that ends with an error if this promise fails, as in NetworkKit 5.3 beta.
    ///
    /// - Parameter callback: Makes the error from the value of a failure.
    /// - Returns: A future that starts this promise when it is sent.
    @preconcurrency @_disfavoredOverload
    public func future(_ callback: @escaping ChainStep<E, any Error>) -> ResponseFuture<T> {
        future { object -> T in throw try callback(object) }
    }

    /// Converts the promise to a future, as in NetworkKit 5.3.0.
    ///
    /// - Parameter callback: Makes a value from the value of a failure, or throws the error to end with.
    /// - Returns: A future that starts this promise when it is sent.
    @preconcurrency public func future(_ callback: @escaping ChainStep<E, T>) -> ResponseFuture<T> {
        ResponseFuture(core: core.thenResult(T.self) { try $0.get().fold({ $0 }, callback) })
    }
}
