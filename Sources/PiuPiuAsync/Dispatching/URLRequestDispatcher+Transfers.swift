extension URLRequestDispatcher: DownloadDispatcher {
    /// Saves a response's body to a file, as ``DownloadDispatcher/download(for:to:options:)`` says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file is to be.
    ///   - options: What is accepted, how it is checked, and whether it may continue.
    /// - Returns: The transfer, which starts when it is iterated and holds on to the dispatcher, as a call does.
    public nonisolated func download(
        for request: URLRequest,
        to destination: URL,
        options: DownloadOptions
    ) -> Transfer<URL> {
        Transfer(.receiving) { reporter in
            let core = self.core
            return try await core.asOneCall(for: request) {
                try await Download(request, to: destination, options: options, reporter: reporter, core: core).run()
            }
        }
    }
}

extension URLRequestDispatcher: UploadDispatcher {
    /// Sends a body and collects the response, as ``UploadDispatcher/upload(for:from:)`` says.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body and without a body of its own.
    ///   - body: What to send.
    /// - Returns: The transfer, which starts when it is iterated and holds on to the dispatcher, as a call does.
    public nonisolated func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
        Transfer(.sending, bytesToSend: { body.length }) { reporter in
            try await self.core.upload(request, from: body, reporter: reporter)
        }
    }
}
