extension DownloadDispatcher {
    /// Creates a future that saves a response's body to a file.
    ///
    /// The future holds the dispatcher weakly: if the dispatcher is released before the future is sent, or while the
    /// request is in progress, the future is cancelled. A 4xx or 5xx response leaves the destination unchanged and ends
    /// the future with a `TransferError`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: The URL of the file to write.
    /// - Returns: A future of the destination that sends the request when it is started.
    public func downloadFuture(from request: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        FutureSource(self).future { source, teller in try await source.download(request, destination, teller) }
    }

    /// Creates a future that saves a response's body to a file; a callback makes the request when the future is started.
    ///
    /// - Parameters:
    ///   - destination: The URL of the file to write.
    ///   - callback: Makes the request. `nil` cancels the future; an error ends it. If the chain is started on the main
    ///     thread, it runs inside that call; otherwise in the background, or on the actor it was written on.
    /// - Returns: A future of the destination that makes and sends the request when it is started.
    public func downloadFuture(
        destination: URL,
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<URL>> {
        FutureSource(self).future(from: callback) { source, request, teller in
            try await source.download(request, destination, teller)
        }
    }
}

extension FutureSource where Dispatcher: DownloadDispatcher {
    fileprivate func download(
        _ request: URLRequest,
        _ destination: URL,
        _ teller: ProgressTeller
    ) async throws -> Response<URL> {
        if let core {
            let options = DownloadOptions()
            return try await core.download(request, to: destination, options: options, reporter: teller.reporter)
        }
        guard let dispatcher else { throw TransportError.dispatcherReleased }
        return try await dispatcher.download(for: request, to: destination).response(teller)
    }
}
