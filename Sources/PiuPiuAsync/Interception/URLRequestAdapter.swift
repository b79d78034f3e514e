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

/// Runs the adapters as one interceptor of the chain.
struct AdapterInterceptor: Interceptor {
    let requestAdapters: [AdapterReference<any URLRequestAdapter>]
    let responseAdapters: [AdapterReference<any URLResponseAdapter>]

    /// Whether there is no adapter.
    var isEmpty: Bool { requestAdapters.isEmpty && responseAdapters.isEmpty }

    /// `false` only if the adapters are known to treat all callers alike.
    var distinguishesCallers: Bool { !isPrompt }

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        var request = request
        for reference in requestAdapters {
            let adapter = try reference.adapter(for: request)
            request.urlRequest = try await adapter.adapt(urlRequest: request.urlRequest)
        }
        // Nothing is sent without its adapter. It is not held while the response is awaited: it may own the dispatcher,
        // and releasing it then cancels the request.
        for reference in responseAdapters { _ = try reference.adapter(for: request) }
        var response = try await next(request)
        for reference in responseAdapters {
            let adapter = try reference.adapter(for: request)
            let urlResponse = response.adaptedResponse ?? response.head.urlResponse
            let adapted = try await adapter.adapt(urlResponse: urlResponse, for: response.urlRequest)
            guard adapted !== urlResponse else { continue }
            response.adaptedResponse = adapted
            if let http = adapted as? HTTPURLResponse {
                let metrics = response.head.metrics
                let record = ResponseRecord(http, urlRequest: response.urlRequest, metrics: metrics)
                response.head = ResponseHead(record: record)
            }
        }
        return response
    }
}

extension AdapterInterceptor: PromptInterceptor {
    /// `true` if no adapter waits.
    var isPrompt: Bool {
        responseAdapters.isEmpty && requestAdapters.allSatisfy(\.isPrompt)
    }
}

extension AdapterInterceptor: Redacted {
    /// The types of the adapters, which may hold tokens.
    package var shown: KeyValuePairs<String, Any> {
        [
            "requestAdapters": requestAdapters.map(\.typeName),
            "responseAdapters": responseAdapters.map(\.typeName),
        ]
    }
}
