import PiuPiuFutures

/// A type that makes futures and promises of the responses to requests.
///
/// To conform, implement ``future(from:)`` for a request; the other functions have default implementations.
@preconcurrency public protocol Dispatcher: Sendable {
    /// A function that makes a request when a future or a promise is sent.
    ///
    /// It runs inside the call that sends the chain. A function written on an actor runs on it if that call is made elsewhere.
    typealias RequestCallback = @isolated(any) @Sendable () throws -> any Request

    /// Creates a future of a response.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future that sends the request when it is sent. It also succeeds for a 4xx or 5xx response, whose `error`
    ///   is not `nil`.
    func future(from request: any Request) -> ResponseFuture<Response<Data?>>
}

extension Dispatcher {
    /// Creates a future of a response to a request that is made when the future is sent.
    ///
    /// - Parameter callback: Makes the request, inside the call that sends the future, or on the actor it was written on
    ///   if that call is made elsewhere. An error it throws ends the future.
    /// - Returns: A future that makes and sends the request when it is sent.
    @preconcurrency public func future(
        @_inheritActorContext from callback: @escaping RequestCallback
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(core: .init(from: callback) { future(from: $0).core })
    }

    /// Creates a promise of a response.
    ///
    /// - Parameter request: The request.
    /// - Returns: A promise that sends the request when it is sent. It succeeds for a status of 1xx to 3xx, and fails
    ///   for any other status.
    public func promise(from request: any Request) -> ResponsePromise<Data?, Data?> {
        Promise(core: future(from: request).core.then(\.outcome))
    }

    /// Creates a promise of a response to a request that is made when the promise is sent.
    ///
    /// - Parameter callback: Makes the request, inside the call that sends the promise, or on the actor it was written on
    ///   if that call is made elsewhere. An error it throws ends the promise.
    /// - Returns: A promise that makes and sends the request when it is sent.
    @preconcurrency public func promise(
        @_inheritActorContext from callback: @escaping RequestCallback
    ) -> ResponsePromise<Data?, Data?> {
        Promise(core: future(from: callback).core.then(\.outcome))
    }

    /// Creates a promise of a response; the older name of `promise(from:)`.
    ///
    /// - Parameter request: The request.
    /// - Returns: A promise that sends the request when it is sent.
    public func make(_ request: any Request) -> ResponsePromise<Data?, Data?> { promise(from: request) }

    /// Creates a promise of a response; the older name of `promise(from:)`.
    ///
    /// - Parameter callback: Makes the request, as in `promise(from:)`; an error it throws ends the promise.
    /// - Returns: A promise that makes and sends the request when it is sent.
    @preconcurrency public func make(
        @_inheritActorContext from callback: @escaping RequestCallback
    ) -> ResponsePromise<Data?, Data?> {
        promise(from: callback)
    }

    /// Creates a promise of a response; the name of `promise(from:)` in NetworkKit 5.3 beta.
    ///
    /// - Parameter callback: Makes the request, as in `promise(from:)`; an error it throws ends the promise.
    /// - Returns: A promise that makes and sends the request when it is sent.
    @preconcurrency public func makeRequest(
        @_inheritActorContext from callback: @escaping RequestCallback
    ) -> ResponsePromise<Data?, Data?> {
        promise(from: callback)
    }
}
