import PiuPiuFutures

/// A type that makes futures from requests to paths of a server.
@preconcurrency public protocol Dispatcher: Sendable {
    /// Creates a future of a response.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future that sends the request when it is started.
    func future(from request: any Request) -> ResponseFuture<Response<Data?>>
}

extension Dispatcher {
    /// Creates a future of a response to a request that is made when the future is started.
    ///
    /// - Parameter callback: Makes the request, inside the call that starts the future, or on the actor it was written on
    ///   if that call is made elsewhere. An error it throws ends the future.
    /// - Returns: A future that makes and sends the request when it is started.
    @preconcurrency public func future(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> any Request
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(.init(from: callback) { self.future(from: $0).underlying }, parts: 1)
    }
}
