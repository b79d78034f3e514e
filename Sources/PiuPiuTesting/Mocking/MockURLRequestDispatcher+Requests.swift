import PiuPiuAsync

// What the real dispatcher has, which does all of it.
extension MockURLRequestDispatcher {
    /// Sends a request and collects the response, as `URLRequestDispatcher.data(for:)` does.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; its body is `nil` where it is empty.
    /// - Throws: `TransportError` where there is no complete response, the errors of answers, adapters and
    ///   interceptors, or `CancellationError`.
    public func data(for request: URLRequest) async throws -> Response<Data?> {
        try await dispatcher.data(for: request)
    }

    /// Sends a request with limits of its own and collects the response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, in place of the configuration's.
    /// - Returns: The response; its body is `nil` where it is empty.
    /// - Throws: As ``data(for:)``.
    public func data(for request: URLRequest, options: RequestOptions) async throws -> Response<Data?> {
        try await dispatcher.data(for: request, options: options)
    }

    /// Sends a body and collects the response, as `UploadDispatcher.upload(for:from:)` says.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body and without a body of its own.
    ///   - body: What to send.
    /// - Returns: The transfer, which starts when it is iterated and does not keep the dispatcher alive.
    public func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
        dispatcher.upload(for: request, from: body)
    }

    /// Saves a response's body to a file, as `DownloadDispatcher.download(for:to:options:)` says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file is to be.
    ///   - options: What is accepted, how it is checked, and whether it may continue.
    /// - Returns: The transfer, which starts when it is iterated and does not keep the dispatcher alive.
    public func download(
        for request: URLRequest,
        to destination: URL,
        options: DownloadOptions
    ) -> Transfer<URL> {
        dispatcher.download(for: request, to: destination, options: options)
    }

    /// Sends a request and gives the response's body back as it arrives, as `URLRequestDispatcher.stream(for:)` does.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, as soon as its head is there, whatever its status code.
    /// - Throws: As ``data(for:)``, up to the head; the body throws what comes after.
    public func stream(for request: URLRequest) async throws -> Response<ResponseBody> {
        try await dispatcher.stream(for: request)
    }

    /// Sends a request with limits of its own and gives the response's body back as it arrives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, in place of the configuration's; the limit for collected bodies does not apply.
    /// - Returns: The response, as soon as its head is there.
    /// - Throws: As ``stream(for:)``.
    public func stream(for request: URLRequest, options: RequestOptions) async throws -> Response<ResponseBody> {
        try await dispatcher.stream(for: request, options: options)
    }

    /// Reads server-sent events, and connects again whenever the stream ends or breaks off, as
    /// `URLRequestDispatcher.serverSentEvents(for:reconnection:options:)` does.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reconnection: How often and how late to connect again.
    ///   - options: The limits of each connection; the configuration's by default.
    /// - Returns: The events. Nothing is sent before they are iterated; leaving the loop closes the connection. They do
    ///   not keep the dispatcher alive.
    public func serverSentEvents(
        for request: URLRequest,
        reconnection: ServerSentEventReconnection = ServerSentEventReconnection(),
        options: RequestOptions? = nil
    ) -> ReconnectingServerSentEvents {
        dispatcher.serverSentEvents(for: request, reconnection: reconnection, options: options)
    }

    /// Refuses new requests and returns when those under way have ended.
    ///
    /// A request made afterwards throws a `TransportError` with the code `shutDown`. Cancelling the calling task does
    /// not cut it short; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await dispatcher.shutdown()
    }

    /// Refuses new requests and lets those under way end.
    ///
    /// Returns at once.
    public func finishTasksAndInvalidate() {
        dispatcher.finishTasksAndInvalidate()
    }

    /// Refuses new requests and cancels those under way, which end with `CancellationError`.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        dispatcher.invalidateAndCancel()
    }
}
