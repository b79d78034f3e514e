extension URLRequestDispatcher {
    /// Sends a request and gives the response's body back as it arrives.
    ///
    /// The body holds its connection until it was read to its end, or dropped. Releasing the dispatcher cancels it.
    ///
    /// - Parameter request: The request; `GET` where it has no method.
    /// - Returns: The response, as soon as its head is there, whatever its status code.
    /// - Throws: As ``data(for:)``, up to the head; the body throws what comes after.
    public nonisolated func stream(for request: URLRequest) async throws -> Response<ResponseBody> {
        try await core.stream(for: request)
    }

    /// Sends a request with limits of its own and gives the response's body back as it arrives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, in place of the configuration's; the limit for collected bodies does not apply.
    /// - Returns: The response, as soon as its head is there.
    /// - Throws: As ``stream(for:)``.
    public nonisolated func stream(
        for request: URLRequest,
        options: RequestOptions
    ) async throws -> Response<ResponseBody> {
        try await core.stream(for: request, options: options)
    }

    /// Reads server-sent events, and connects again whenever the stream ends or breaks off.
    ///
    /// The request is sent with `Accept: text/event-stream`, and after the first event that has an identifier with
    /// `Last-Event-ID`. An answer with 204 ends the sequence; one with another status code or content type than a stream
    /// of events has ends it with an error. A server that says nothing for longer than ``Timeouts/idle`` is asked again;
    /// most send a comment now and then.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reconnection: How often and how late to connect again.
    ///   - options: The limits of each connection; the configuration's by default.
    /// - Returns: The events. Nothing is sent before they are iterated; leaving the loop closes the connection. They do
    ///   not keep the dispatcher alive.
    public nonisolated func serverSentEvents(
        for request: URLRequest,
        reconnection: ServerSentEventReconnection = ServerSentEventReconnection(),
        options: RequestOptions? = nil
    ) -> ReconnectingServerSentEvents {
        let clock = core.clock?.base ?? ContinuousClock()
        return ReconnectingServerSentEvents(reconnection, clock: clock) { [core] lastEventID in
            var request = request
            // Foundation on Linux traps when a request without a URL is changed; without one, sending it throws.
            if request.url != nil {
                request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
                request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
                // A server that gives an identifier no field can hold, or no server would take, gets it back from nobody.
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
