extension DownloadDispatcher {
    /// Makes a future that saves a response's body to a file.
    ///
    /// The dispatcher is held weakly: where it is released before the future is sent, or while the request is under way,
    /// the future is cancelled. An answer of 4xx or 5xx leaves the destination alone and ends the future with a
    /// `TransferError`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file is to be.
    /// - Returns: A future of the destination, which sends the request when it is started.
    public func downloadFuture(from request: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        FutureSource(self).future { source, teller in try await source.download(request, destination, teller) }
    }

    /// Makes a future that saves a response's body to a file, with a request that is made when the future is started.
    ///
    /// - Parameters:
    ///   - destination: Where the file is to be.
    ///   - callback: Makes the request; `nil` cancels, and what it throws ends the future.
    /// - Returns: A future of the destination, which makes and sends the request when it is started.
    public func downloadFuture(
        destination: URL,
        from callback: @escaping @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<URL>> {
        FutureSource(self).future { source, teller in
            guard let request = try callback() else { throw CancellationError() }
            return try await source.download(request, destination, teller)
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
        guard let dispatcher else { throw CancellationError() }
        return try await dispatcher.download(for: request, to: destination).response(teller)
    }
}
