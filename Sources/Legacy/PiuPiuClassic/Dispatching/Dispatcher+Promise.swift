import PiuPiuFutures

// The promises of 1.3.0, which 1.3.2 deprecated.
extension Dispatcher {
    /// Creates a promise of a response.
    ///
    /// - Parameter request: The request.
    /// - Returns: A promise that sends the request when it is started. It succeeds for a status of 1xx to 3xx, and fails for
    ///   any other status.
    public func promise(from request: any Request) -> ResponsePromise<Data?, Data?> {
        ResponsePromise(future(from: request).underlying.then(\.outcome))
    }

    /// Creates a promise of a response to a request that is made when the promise is started.
    ///
    /// - Parameter callback: Makes the request, inside the call that starts the promise, or on the actor it was written on
    ///   if that call is made elsewhere. An error it throws ends the promise.
    /// - Returns: A promise that makes and sends the request when it is started.
    @preconcurrency public func promise(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> any Request
    ) -> ResponsePromise<Data?, Data?> {
        ResponsePromise(future(from: callback).underlying.then(\.outcome))
    }

    /// Creates a promise of a response; the older name of `promise(from:)`.
    ///
    /// - Parameter request: The request.
    /// - Returns: A promise that sends the request when it is started.
    @available(*, deprecated, renamed: "promise(from:)")
    public func make(_ request: any Request) -> ResponsePromise<Data?, Data?> { promise(from: request) }

    /// Creates a promise of a response; the older name of `promise(from:)`.
    ///
    /// - Parameter callback: Makes the request, as in `promise(from:)`; an error it throws ends the promise.
    /// - Returns: A promise that makes and sends the request when it is started.
    @available(*, deprecated, renamed: "promise(from:)")
    @preconcurrency public func make(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> any Request
    ) -> ResponsePromise<Data?, Data?> { promise(from: callback) }

    /// Creates a promise of a response; the older name of `promise(from:)`.
    ///
    /// - Parameter callback: Makes the request, as in `promise(from:)`; an error it throws ends the promise.
    /// - Returns: A promise that makes and sends the request when it is started.
    @available(*, deprecated, renamed: "promise(from:)")
    @preconcurrency public func makeRequest(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> any Request
    ) -> ResponsePromise<Data?, Data?> { promise(from: callback) }
}
