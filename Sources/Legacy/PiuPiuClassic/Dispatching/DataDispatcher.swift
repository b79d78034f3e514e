import PiuPiuFutures

/// A type that makes a future from a `URLRequest`: ``URLRequestDispatcher`` or your own, such as one around Alamofire.
///
/// Only ``dataFuture(from:)-(URLRequest)`` has to be implemented.
@preconcurrency public protocol DataDispatcher: AnyObject, Sendable {
    /// Creates a future of a response.
    ///
    /// - Parameter urlRequest: The request.
    /// - Returns: A future that sends the request when it is started.
    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>>
}

extension DataDispatcher {
    /// Creates a future of a response to a request that is made when the future is started.
    ///
    /// - Parameter callback: Makes the request, inside the call that starts the future, or on the actor it was written on
    ///   if that call is made elsewhere. `nil` cancels the future; an error ends it.
    /// - Returns: A future that makes and sends the request when it is started.
    @preconcurrency public func dataFuture(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(.init(from: callback) { $0.map { self.dataFuture(from: $0).underlying } }, parts: 1)
    }
}
