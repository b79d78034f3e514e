// Responses whose bodies are read as they arrive.
extension DispatcherCore {
    /// Sends a request and returns when the response's head arrives.
    ///
    /// `body` need not be in memory; `nil` stands for the request's own body. The core lives until the response's body is read
    /// to its end or dropped. If the server agreed to a tunnel, it lives until the tunnel ends, and the body has no bytes. Throws
    /// the errors of ``URLRequestDispatcher/stream(for:)`` and ``UploadDispatcher/upload(for:from:)``.
    package func stream(
        for urlRequest: URLRequest,
        body: RequestBody? = nil,
        options: RequestOptions? = nil,
        tunnel: Tunnel? = nil
    ) async throws -> Response<ResponseBody> {
        var request = try begin(urlRequest, body, options, delivery: .streamed)
        if let tunnel {
            request.tunnel = tunnel
            tunnel.end.observe(request.observedCall)
        }
        do {
            let call = request.observedCall
            return try await open(request, namesErrors: true) { end, statusCode in
                call?.end(ObservedOutcome(end, statusCode))
                self.end()
            }
        } catch {
            defer { end() }
            throw endCall(of: request, with: error)
        }
    }
}
