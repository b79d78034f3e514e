import PiuPiuAsync

// These methods forward to the operations of the real dispatcher.
extension MockURLRequestDispatcher {
    /// Sends a request and collects the response, as `URLRequestDispatcher.data(for:)` does.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: `TransportError` if there is no complete response, the errors of answers, adapters and interceptors,
    ///   or `CancellationError`.
    public func data(for request: URLRequest) async throws -> Response<Data?> {
        try await dispatcher.data(for: request)
    }

    /// Sends a request with its own limits and collects the response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, instead of the configuration's.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: The errors of ``data(for:)``.
    public func data(for request: URLRequest, options: RequestOptions) async throws -> Response<Data?> {
        try await dispatcher.data(for: request, options: options)
    }

    /// Sends a body and collects the response, as described for `UploadDispatcher.upload(for:from:)`.
    ///
    /// - Parameters:
    ///   - request: The request, without a body, and with a method that takes one.
    ///   - body: The body to send.
    /// - Returns: The transfer, which starts when it is iterated and does not keep the dispatcher alive.
    public func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
        dispatcher.upload(for: request, from: body)
    }

    /// Sends a body with its own limits and collects the response.
    ///
    /// - Parameters:
    ///   - request: The request, without a body, and with a method that takes one.
    ///   - body: The body to send.
    ///   - options: The limits, instead of the configuration's.
    /// - Returns: The transfer, as for ``upload(for:from:)``.
    public func upload(
        for request: URLRequest,
        from body: RequestBody,
        options: RequestOptions
    ) -> Transfer<Data?> {
        dispatcher.upload(for: request, from: body, options: options)
    }

    /// Saves a response's body to a file, as described for `DownloadDispatcher.download(for:to:options:)`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: The URL of the file.
    ///   - options: Which responses to accept, how to check them, and whether the download may resume.
    /// - Returns: The transfer, which starts when it is iterated and does not keep the dispatcher alive.
    public func download(
        for request: URLRequest,
        to destination: URL,
        options: DownloadOptions
    ) -> Transfer<URL> {
        dispatcher.download(for: request, to: destination, options: options)
    }

    /// Saves a response's body to a file in a folder, as `URLRequestDispatcher.download(for:into:options:)` does.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - folder: The URL of the folder.
    ///   - options: Which responses to accept, and how to check them.
    /// - Returns: The transfer, which starts when it is iterated and does not keep the dispatcher alive.
    public func download(
        for request: URLRequest,
        into folder: URL,
        options: DownloadOptions = DownloadOptions()
    ) -> Transfer<URL> {
        dispatcher.download(for: request, into: folder, options: options)
    }

    /// Sends a request and returns the response's body as it arrives, as `URLRequestDispatcher.stream(for:)` does.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, as soon as its head has arrived, regardless of its status code.
    /// - Throws: The errors of ``data(for:)``, up to the head; the body throws later errors.
    public func stream(for request: URLRequest) async throws -> Response<ResponseBody> {
        try await dispatcher.stream(for: request)
    }

    /// Sends a request with its own limits and returns the response's body as it arrives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, instead of the configuration's; the limit for collected bodies does not apply.
    /// - Returns: The response, as soon as its head has arrived.
    /// - Throws: The errors of ``stream(for:)``.
    public func stream(for request: URLRequest, options: RequestOptions) async throws -> Response<ResponseBody> {
        try await dispatcher.stream(for: request, options: options)
    }

    /// Sends a body and returns the response's body as it arrives.
    ///
    /// It works as `URLRequestDispatcher.stream(for:from:options:)` does.
    ///
    /// - Parameters:
    ///   - request: The request, without a body, and with a method that takes one.
    ///   - body: The body to send.
    ///   - options: The limits, instead of the configuration's; the limit for collected bodies does not apply.
    /// - Returns: The response, as soon as its head has arrived.
    /// - Throws: The errors of `UploadDispatcher.upload(for:from:)` up to the head; the body throws later errors.
    public func stream(
        for request: URLRequest,
        from body: RequestBody,
        options: RequestOptions? = nil
    ) async throws -> Response<ResponseBody> {
        try await dispatcher.stream(for: request, from: body, options: options)
    }

    /// Reads server-sent events, and reconnects whenever the stream ends or breaks.
    ///
    /// It works as `URLRequestDispatcher.serverSentEvents(for:reconnection:options:)` does.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reconnection: How often to reconnect, and after which delay.
    ///   - options: The limits of each connection; the configuration's by default.
    /// - Returns: The events. The request is sent when they are iterated; leaving the loop closes the connection. They
    ///   do not keep the dispatcher alive.
    public func serverSentEvents(
        for request: URLRequest,
        reconnection: ServerSentEventReconnection = ServerSentEventReconnection(),
        options: RequestOptions? = nil
    ) -> ReconnectingServerSentEvents {
        dispatcher.serverSentEvents(for: request, reconnection: reconnection, options: options)
    }

    /// Refuses new requests and returns when those in flight have ended.
    ///
    /// It cancels those that have not ended after 30 seconds on the mock's clock. A later request throws a
    /// `TransportError` with the code `shutDown`. Cancelling the calling task does not interrupt it;
    /// ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await dispatcher.shutdown()
    }

    /// Refuses new requests and lets those in flight finish.
    ///
    /// This method returns immediately.
    public func finishTasksAndInvalidate() {
        dispatcher.finishTasksAndInvalidate()
    }

    /// Refuses new requests and cancels those in flight, which end with `CancellationError`.
    ///
    /// This method returns immediately.
    public func invalidateAndCancel() {
        dispatcher.invalidateAndCancel()
    }
}
