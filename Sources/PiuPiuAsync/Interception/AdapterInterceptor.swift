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
            if let adapter = reference.prompt {
                adapter.adapt(&request)
                continue
            }
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
        responseAdapters.isEmpty && requestAdapters.allSatisfy { $0.prompt != nil }
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
