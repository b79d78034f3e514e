/// A type that changes a request before it is sent: adds credentials, changes the URL, logs it.
///
/// An adapter is a simpler form of an ``Interceptor``. Several adapters run in the given order. Each receives the result of
/// the previous one, and the result of the last one is sent.
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
    /// - Parameter urlRequest: The request after the previous adapters.
    /// - Returns: The request to send instead.
    /// - Throws: Any error; it ends the call and reaches the caller unchanged. Nothing is sent.
    func adapt(urlRequest: URLRequest) async throws -> URLRequest
}

/// A type that changes a response before the caller gets it: logs it, or replaces it with another kind of response.
///
/// Several adapters run in the given order. Each receives the result of the previous one.
public protocol URLResponseAdapter: Sendable {
    /// Returns the response to pass on.
    ///
    /// - Parameters:
    ///   - urlResponse: The response after the previous adapters.
    ///   - urlRequest: The request as it was sent, after every request adapter and redirect.
    /// - Returns: The response to pass on instead; it need not be an HTTP response.
    /// - Throws: Any error; it ends the call and reaches the caller unchanged.
    func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse
}

/// An adapter that never waits, and that does the same with the requests of all callers.
package protocol PromptAdapter: URLRequestAdapter {
    /// Changes a request in place, as ``URLRequestAdapter/adapt(urlRequest:)`` does.
    ///
    /// The request has its call's parsed target, so that the adapter need not parse the URL again.
    func adapt(_ request: inout TransportRequest)
}
