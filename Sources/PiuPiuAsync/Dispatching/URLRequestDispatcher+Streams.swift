extension URLRequestDispatcher {
    /// Sends a request and returns the response's body as it arrives.
    ///
    /// The body holds its connection until it is read to its end or dropped. Keep the dispatcher that long: if it is
    /// released, the body throws ``TransportError/Code/shutDown``.
    ///
    /// - Parameter request: The request; `GET` if it has no method.
    /// - Returns: The response, as soon as its head arrives, whatever its status code.
    /// - Throws: The errors of ``data(for:)`` up to the head; the body throws later errors.
    public nonisolated func stream(for request: URLRequest) async throws -> Response<ResponseBody> {
        try await core.stream(for: request)
    }

    /// Sends a request with its own limits and returns the response's body as it arrives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, in place of the configuration's; the limit for buffered bodies does not apply.
    /// - Returns: The response, as soon as its head arrives.
    /// - Throws: The errors of ``stream(for:)``.
    public nonisolated func stream(
        for request: URLRequest,
        options: RequestOptions
    ) async throws -> Response<ResponseBody> {
        try await core.stream(for: request, options: options)
    }

    /// Sends a body and returns the response's body as it arrives.
    ///
    /// ```swift
    /// let response = try await dispatcher.stream(for: request, from: .file(fileURL)).validated()
    /// for try await row in response.data.jsonLines(of: Post.self) {
    ///     print(row.title)
    /// }
    /// ```
    ///
    /// Each body moves at the pace of its reader. A server may respond before it has read the whole body: the function
    /// returns, and the dispatcher continues to send while the response is read, until the response ends or is dropped. The
    /// response's body throws later errors of a stream that produces the body.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body, and without a body.
    ///   - body: The body to send.
    ///   - options: The limits, in place of the configuration's; the limit for buffered bodies does not apply.
    /// - Returns: The response, as soon as its head arrives, whatever its status code.
    /// - Throws: The errors of ``UploadDispatcher/upload(for:from:)`` up to the head; the body throws later errors.
    public nonisolated func stream(
        for request: URLRequest,
        from body: RequestBody,
        options: RequestOptions? = nil
    ) async throws -> Response<ResponseBody> {
        try await core.stream(for: request, body: body, options: options)
    }

    /// Reads server-sent events and reconnects whenever the stream ends or fails.
    ///
    /// Reconnecting sends the request again, which only `GET` and `HEAD` allow (RFC 9110 §9.2.1). With another method, the
    /// events end with the stream; see ``ServerSentEventReconnection/repeatsOtherMethods``.
    ///
    /// The request is sent with `Accept: text/event-stream`, and after the first event with an identifier also with
    /// `Last-Event-ID`. A 204 response ends the sequence; a status code other than 200 or 204, or a content type other
    /// than `text/event-stream`, ends it with an error. If the server is silent for longer than ``Timeouts/idle``, the
    /// dispatcher reconnects; most servers send a comment now and then.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reconnection: How often and after which delay to reconnect.
    ///   - options: The limits of each connection; the configuration's by default.
    /// - Returns: The events. Nothing is sent until they are iterated; leaving the loop closes the connection. They do
    ///   not keep the dispatcher alive.
    public nonisolated func serverSentEvents(
        for request: URLRequest,
        reconnection: ServerSentEventReconnection = ServerSentEventReconnection(),
        options: RequestOptions? = nil
    ) -> ReconnectingServerSentEvents {
        let clock = core.clock?.base ?? ContinuousClock()
        let method = request.httpMethod ?? "GET"
        return ReconnectingServerSentEvents(reconnection, method: method, clock: clock) { [core] lastEventID in
            var request = request
            // Foundation on Linux traps if a request without a URL is changed; sending such a request throws.
            if request.url != nil {
                request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
                request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
                // Do not send back an identifier that no field can hold, or that is too long for a server to accept.
                if lastEventID.isFieldValue, lastEventID.utf8.count <= 4096 {
                    request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID")
                }
            }
            let response = try await core.stream(for: request, options: options)
            if response.statusCode == .noContent { return .stop }
            let validation = Validation.statusCodes([.ok]).mediaTypes(["text/event-stream"])
            return .events(ReconnectingServerSentEvents.Chunks(try await response.validated(validation).data))
        }
    }
}
