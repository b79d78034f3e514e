/// Everything of a response but its body.
struct ResponseOrigin: Sendable {
    /// Where the head comes from.
    enum Source: Sendable {
        /// An HTTP head; Foundation's response is built from it when somebody asks.
        case head(ResponseHead)
        /// A response that is not HTTP.
        case foundation(URLResponse)
    }

    let urlRequest: URLRequest
    let source: Source
    let history: [Redirect]

    init(urlRequest: URLRequest, source: Source, history: [Redirect]) {
        self.urlRequest = urlRequest
        self.source = source
        self.history = history
    }

    /// Takes over a response of Foundation.
    init(urlRequest: URLRequest, urlResponse: URLResponse, metrics: ExchangeMetrics? = nil, history: [Redirect] = []) {
        self.urlRequest = urlRequest
        self.history = history
        if let response = urlResponse as? HTTPURLResponse {
            source = .head(ResponseHead(response, requestURL: urlRequest.url, metrics: metrics))
        } else {
            source = .foundation(urlResponse)
        }
    }

    /// Takes over what the transport and the interceptors gave back.
    init(_ response: TransportResponse) {
        guard let adapted = response.adaptedResponse, adapted !== response.head.urlResponse else {
            self.init(urlRequest: response.urlRequest, source: .head(response.head), history: response.history)
            return
        }
        self.init(
            urlRequest: response.urlRequest,
            urlResponse: adapted,
            metrics: response.head.metrics,
            history: response.history
        )
    }

    /// Takes over the head of any response, without building Foundation's type where there is a head.
    init(of response: some ResponseInterface) {
        if let carrier = response as? any ResponseOriginCarrying {
            self = carrier.origin
        } else {
            self.init(urlRequest: response.urlRequest, urlResponse: response.urlResponse)
        }
    }

    var head: ResponseHead? {
        if case .head(let head) = source { head } else { nil }
    }

    var urlResponse: URLResponse {
        switch source {
        case .head(let head): head.urlResponse
        case .foundation(let response): response
        }
    }

    /// One line for logs: version, status and URL, without secrets, header fields and body.
    var summary: String {
        let url = Redaction.standard.text(of: urlRequest.url)
        guard let head else { return url }
        return "\(head.httpVersion) \(head.statusCode.rawValue) \(url)"
    }
}

/// A response that knows its head and its history.
protocol ResponseOriginCarrying {
    var origin: ResponseOrigin { get }
}
