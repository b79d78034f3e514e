extension UploadDispatcher {
    /// Creates a future that sends a request with its own body.
    ///
    /// PiuPiu 1's mock has this form. The future holds the dispatcher weakly: if the dispatcher is released before the
    /// future is sent, or while the request is in progress, the future is cancelled.
    ///
    /// - Parameter request: The request, with its body in `httpBody`.
    /// - Returns: A future that sends the request when it is started.
    public func uploadFuture(from request: URLRequest) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: request, with: request.httpBody ?? Data())
    }
}
