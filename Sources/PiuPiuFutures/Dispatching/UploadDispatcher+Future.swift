extension UploadDispatcher {
    /// Creates a future that sends bytes.
    ///
    /// The future holds the dispatcher weakly: if the dispatcher is released before the future is sent, or while the
    /// request is in progress, the future is cancelled.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body.
    ///   - data: The bytes.
    /// - Returns: A future that sends the request when it is started.
    public func uploadFuture(from request: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        uploadFuture(from: request, with: .data(data))
    }

    /// Creates a future that sends a body.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body.
    ///   - body: The body to send; it need not be in memory.
    /// - Returns: A future that sends the request when it is started.
    public func uploadFuture(from request: URLRequest, with body: RequestBody) -> ResponseFuture<Response<Data?>> {
        FutureSource(self).future(.sending) { source, teller in try await source.upload(request, body, teller) }
    }

    /// Creates a future that sends bytes with a request that a callback makes when the future is started.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - callback: Makes the request. `nil` cancels the future; an error ends it. If the chain is started on the main
    ///     thread, it runs inside that call; otherwise in the background, or on the actor it was written on.
    /// - Returns: A future that makes and sends the request when it is started.
    public func uploadFuture(
        with data: Data,
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        FutureSource(self).future(.sending, from: callback) { source, request, teller in
            try await source.upload(request, .data(data), teller)
        }
    }
}

extension FutureSource where Dispatcher: UploadDispatcher {
    fileprivate func upload(
        _ request: URLRequest,
        _ body: RequestBody,
        _ teller: ProgressTeller
    ) async throws -> Response<Data?> {
        var request = request
        // Like PiuPiu 1, this replaces a body of the request with the data.
        if request.url != nil { request.httpBody = nil }
        if let core { return try await core.data(for: request, body: body, reporter: teller.reporter) }
        guard let dispatcher else { throw TransportError.dispatcherReleased }
        return try await dispatcher.upload(for: request, from: body).response(teller)
    }
}
