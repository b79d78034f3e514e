/// A type that turns a `URLRequest` into a future: ``URLRequestDispatcher``, or your own, such as one around Alamofire.
///
/// Only ``dataFuture(from:)-(URLRequest)`` has to be implemented.
@preconcurrency public protocol DataDispatcher: AnyObject, Sendable {
    /// Creates a future of a response.
    ///
    /// - Parameter urlRequest: The request.
    /// - Returns: A future that sends the request when it is started.
    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>>

    /// Creates a future of a response to a request that is made when the future is started.
    ///
    /// - Parameter callback: Makes the request. `nil` cancels the future; an error ends it.
    /// - Returns: A future that makes and sends the request when it is started.
    @preconcurrency func dataFuture(from callback: @escaping @Sendable () throws -> URLRequest?) -> ResponseFuture<
        Response<Data?>
    >
}

extension DataDispatcher {
    /// Creates a future of a response to a request that is made when the future is started.
    ///
    /// - Parameter callback: Makes the request. `nil` cancels the future; an error ends it.
    /// - Returns: A future that makes and sends the request when it is started.
    @preconcurrency public func dataFuture(
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture<Response<Data?>>(action: { future in
            guard let request = try callback() else { return future.cancel() }
            future.fulfill(with: self.dataFuture(from: request))
        })
    }
}
