/// Changes a request before it is sent: adds credentials, points it elsewhere, logs it.
///
/// An adapter is the simple face of an ``Interceptor``. Several run in the order in which they are given, each with what
/// the one before returned. What the last one returns is what is sent.
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
    /// - Parameter urlRequest: The request so far.
    /// - Returns: The request to send instead.
    /// - Throws: Any error; it ends the call and reaches the caller as it is. Nothing is sent.
    func adapt(urlRequest: URLRequest) async throws -> URLRequest
}

/// Changes a response before the caller gets it: logs it, or makes a response of another kind of it.
///
/// Several run in the order in which they are given, each with what the one before returned.
public protocol URLResponseAdapter: Sendable {
    /// Returns the response to pass on.
    ///
    /// - Parameters:
    ///   - urlResponse: The response so far.
    ///   - urlRequest: The request as it was sent, after every request adapter and redirect.
    /// - Returns: The response to pass on instead; it need not be an HTTP response.
    /// - Throws: Any error; it ends the call and reaches the caller as it is.
    func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse
}

/// Runs adapters as one link of the chain.
struct AdapterInterceptor: Interceptor {
    let requestAdapters: [any URLRequestAdapter]
    let responseAdapters: [any URLResponseAdapter]

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        var request = request
        for adapter in requestAdapters {
            request.urlRequest = try await adapter.adapt(urlRequest: request.urlRequest)
        }
        var response = try await next(request)
        for adapter in responseAdapters {
            let urlResponse = response.adaptedResponse ?? response.head.urlResponse
            let adapted = try await adapter.adapt(urlResponse: urlResponse, for: response.urlRequest)
            guard adapted !== urlResponse else { continue }
            response.adaptedResponse = adapted
            if let http = adapted as? HTTPURLResponse {
                let (url, metrics) = (response.urlRequest.url, response.head.metrics)
                response.head = ResponseHead(http, requestURL: url, metrics: metrics)
            }
        }
        return response
    }
}

extension AdapterInterceptor: Redacted {
    /// The types of the adapters, which may hold tokens.
    package var shown: KeyValuePairs<String, Any> {
        [
            "requestAdapters": requestAdapters.map { "\(type(of: $0))" },
            "responseAdapters": responseAdapters.map { "\(type(of: $0))" },
        ]
    }
}
