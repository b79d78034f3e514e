/// A type that changes a request before it is sent: adds credentials, changes the URL, logs it.
///
/// An adapter is a simpler form of an ``Interceptor``. Several adapters run in the order in which they are given. Each
/// receives the result of the one before it, and the last one's result is sent.
///
/// ```swift
/// struct TokenAdapter: URLRequestAdapter {
///     let tokens: any TokenStore
///
///     func adapt(urlRequest: URLRequest) async throws -> URLRequest {
///         var request = urlRequest
///         request.setValue("Bearer \(try await tokens.current())", forHTTPHeaderField: "Authorization")
///         return request
///     }
/// }
/// ```
public protocol URLRequestAdapter: Sendable {
    /// Returns the request to send.
    ///
    /// - Parameter urlRequest: The request as the adapters before this one left it.
    /// - Returns: The request to send instead.
    /// - Throws: Any error; it ends the call and reaches the caller unchanged. Nothing is sent.
    func adapt(urlRequest: URLRequest) async throws -> URLRequest
}

/// A type that changes a response before the caller gets it: logs it, or replaces it with another kind of response.
///
/// Several adapters run in the order in which they are given. Each receives the result of the one before it.
public protocol URLResponseAdapter: Sendable {
    /// Returns the response to pass on.
    ///
    /// - Parameters:
    ///   - urlResponse: The response as the adapters before this one left it.
    ///   - urlRequest: The request as it was sent, after every request adapter and redirect.
    /// - Returns: The response to pass on instead; it need not be an HTTP response.
    /// - Throws: Any error; it ends the call and reaches the caller unchanged.
    func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse
}

/// An adapter that never waits, and that does the same with the requests of all callers.
protocol PromptAdapter: URLRequestAdapter {}
