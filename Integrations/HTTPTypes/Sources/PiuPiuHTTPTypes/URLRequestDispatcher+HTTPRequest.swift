public import HTTPTypes
public import PiuPiuAsync

extension URLRequestDispatcher {
    /// Sends a request and returns the response's body as it arrives.
    ///
    /// ```swift
    /// let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/posts")
    /// let (response, body) = try await dispatcher.send(request)
    /// for try await chunk in body {
    ///     print(response.status, chunk.count)
    /// }
    /// ```
    ///
    /// The request passes through the dispatcher's interceptors, adapters and redirect policy like any other. Its fields
    /// that are not to be indexed are secrets; see ``PiuPiuValues/RequestOptions/hiding(_:)``.
    ///
    /// Both bodies go at the pace of their readers. A server may respond before it has read the whole body, which is then
    /// sent on while the response is read. The response's body holds its connection until it is read to its end or
    /// dropped. Releasing the dispatcher cancels it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body to send; `nil` for none.
    ///   - options: The limits, in place of the configuration's; the limit for buffered bodies does not apply.
    /// - Returns: The response, as soon as its head arrives, whatever its status code, and its body.
    /// - Throws: The errors of `URLRequest.init(_:)`, before anything is sent;
    ///   `TransportError` if there is no response, or if it is none that `HTTPResponse` can hold; `TransferError` and the
    ///   errors of a stream if the body cannot be sent; an adapter's or interceptor's own error; `CancellationError` if
    ///   the calling task is cancelled. The body throws later errors.
    public nonisolated func send(
        _ request: HTTPRequest,
        body: RequestBody? = nil,
        options: RequestOptions? = nil
    ) async throws -> (HTTPTypes.HTTPResponse, ResponseBody) {
        let options = (options ?? configuration.options).hiding(request.headerFields)
        let urlRequest = try URLRequest(request)
        let response =
            if let body {
                try await stream(for: urlRequest, from: body, options: options)
            } else {
                try await stream(for: urlRequest, options: options)
            }
        return (try HTTPTypes.HTTPResponse(try response.makeHTTPResponse().head), response.data)
    }

    /// Sends a request and collects the response's body in memory.
    ///
    /// ```swift
    /// let (response, data) = try await dispatcher.data(for: request, upTo: 1_048_576)
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body to send; `nil` for none.
    ///   - limit: The largest body that is collected, in bytes after decompression; by default, that of the options.
    ///   - options: The limits, in place of the configuration's.
    /// - Returns: The response, whatever its status code, and its body, which is empty if there is none. For the body's
    ///   trailers, use ``send(_:body:options:)``.
    /// - Throws: `TransportError` with the code `bodyTooLarge` if the body is larger than the limit; the errors of
    ///   ``send(_:body:options:)``.
    public nonisolated func data(
        for request: HTTPRequest,
        body: RequestBody? = nil,
        upTo limit: Int? = nil,
        options: RequestOptions? = nil
    ) async throws -> (HTTPTypes.HTTPResponse, Data) {
        var options = (options ?? configuration.options).hiding(request.headerFields)
        if let limit { options.maximumBufferedBody = max(0, limit) }
        let urlRequest = try URLRequest(request)
        let response =
            if let body {
                try await upload(for: urlRequest, from: body, options: options).response()
            } else {
                try await data(for: urlRequest, options: options)
            }
        return (try HTTPTypes.HTTPResponse(try response.makeHTTPResponse().head), response.data ?? Data())
    }
}
