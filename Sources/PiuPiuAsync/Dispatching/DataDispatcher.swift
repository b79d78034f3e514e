/// Something that sends a request and collects the body of the response in memory.
public protocol DataDispatcher: AnyObject, Sendable {
    /// Sends a request and collects the response.
    ///
    /// A status code of 4xx or 5xx is a response like any other; `validated()` on the response makes an error of it.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; its body is `nil` where it is empty.
    /// - Throws: ``TransportError`` where there is no complete response, an adapter's or interceptor's own error, or
    ///   `CancellationError` where the calling task was cancelled.
    func data(for request: URLRequest) async throws -> Response<Data?>
}

extension DataDispatcher {
    /// Gets what is at a URL.
    ///
    /// - Parameter url: An `http` or `https` URL.
    /// - Returns: The response; its body is `nil` where it is empty.
    /// - Throws: As ``data(for:)``.
    public func data(from url: URL) async throws -> Response<Data?> {
        try await data(for: URLRequest(url: url, method: .get))
    }
}
