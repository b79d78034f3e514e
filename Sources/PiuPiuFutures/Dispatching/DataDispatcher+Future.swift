extension DataDispatcher {
    /// Creates a future of a response.
    ///
    /// The future holds the dispatcher weakly: if the dispatcher is released before the future is sent, or while the
    /// request is in progress, the future is cancelled.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future that sends the request when it is started.
    public func dataFuture(from request: URLRequest) -> ResponseFuture<Response<Data?>> {
        FutureSource(self).future { source, teller in try await source.data(for: request, teller) }
    }

    /// Creates a future of a response to a request that a callback makes when the future is started.
    ///
    /// - Parameter callback: Makes the request. `nil` cancels the future; an error ends it. If the chain is started on the
    ///   main thread, it runs inside that call; otherwise in the background, or on the actor it was written on.
    /// - Returns: A future that makes and sends the request when it is started.
    public func dataFuture(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        FutureSource(self).future(from: callback) { source, request, teller in
            try await source.data(for: request, teller)
        }
    }
}

extension DataDispatcher {
    /// Returns a function that sends requests without keeping the dispatcher alive.
    func sender() -> @Sendable (URLRequest, ProgressTeller) async throws -> Response<Data?> {
        let source = FutureSource(self)
        return { request, teller in try await source.data(for: request, teller) }
    }
}

extension FutureSource where Dispatcher: DataDispatcher {
    fileprivate func data(for request: URLRequest, _ teller: ProgressTeller) async throws -> Response<Data?> {
        if let core { return try await core.data(for: request, reporter: teller.reporter) }
        guard let dispatcher else { throw TransportError.dispatcherReleased }
        return try await dispatcher.data(for: request)
    }
}
