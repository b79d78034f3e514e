/// A type that sends a request and collects the response's body in memory.
public protocol DataDispatcher: AnyObject, Sendable {
    /// Sends a request and collects the response.
    ///
    /// A 4xx or 5xx status code does not throw; call `validated()` on the response to turn it into an error.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: ``TransportError`` if there is no complete response, an adapter's or interceptor's own error, or
    ///   `CancellationError` if the calling task is cancelled.
    func data(for request: URLRequest) async throws -> Response<Data?>

    /// Sends a request with its own limits and collects the response.
    ///
    /// A type that does not implement this method refuses such requests with ``TransportError/Code/unsupported``, instead of
    /// ignoring their limits.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits, in place of the dispatcher's.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: The errors of ``data(for:)``.
    func data(for request: URLRequest, options: RequestOptions) async throws -> Response<Data?>

    /// The defaults of requests that are made from a path, such as the base URL.
    ///
    /// A type that does not implement this property has no base URL, and its requests need absolute URLs.
    nonisolated var requestDefaults: RequestDefaults { get }
}

extension DataDispatcher {
    /// Refuses the request, because the dispatcher does not support limits of single requests.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits.
    /// - Returns: Nothing; the method always throws.
    /// - Throws: ``TransportError`` with the code `unsupported`.
    public func data(for request: URLRequest, options: RequestOptions) async throws -> Response<Data?> {
        throw TransportError(
            .unsupported,
            reason: "\(type(of: self)) does not support limits for single requests: implement data(for:options:)",
            request: request,
            sensitiveHeaders: options.sensitiveHeaders
        )
    }

    /// No base URL, no default query, and JSON coders without settings.
    public nonisolated var requestDefaults: RequestDefaults { RequestDefaults() }
}

extension DataDispatcher {
    /// Sends a `GET` request to a URL and collects the response.
    ///
    /// - Parameter url: An `http` or `https` URL.
    /// - Returns: The response; its body is `nil` if it is empty.
    /// - Throws: The errors of ``data(for:)``.
    public func data(from url: URL) async throws -> Response<Data?> {
        try await data(for: URLRequest(url: url, method: .get))
    }
}
