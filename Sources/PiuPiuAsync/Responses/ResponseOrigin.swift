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
    let details: ResponseDetails?

    init(urlRequest: URLRequest, source: Source, details: ResponseDetails?) {
        self.urlRequest = urlRequest
        self.source = source
        self.details = details
    }

    /// Takes over a response of Foundation.
    init(
        urlRequest: URLRequest,
        urlResponse: URLResponse,
        metrics: ExchangeMetrics? = nil,
        details: ResponseDetails? = nil
    ) {
        self.urlRequest = urlRequest
        self.details = details
        if let response = urlResponse as? HTTPURLResponse {
            let head = ResponseHead(response, requestURL: urlRequest.url, metrics: metrics)
            source = .head(head.hiding(details?.sensitiveHeaders ?? []))
        } else {
            source = .foundation(urlResponse)
        }
    }

    /// Takes over what the transport and the interceptors gave back.
    init(_ response: TransportResponse, sensitiveHeaders: [String]) {
        let details = ResponseDetails.make(history: response.history, sensitiveHeaders: sensitiveHeaders)
        guard let adapted = response.adaptedResponse, adapted !== response.head.urlResponse else {
            let head = response.head.hiding(sensitiveHeaders)
            self.init(urlRequest: response.urlRequest, source: .head(head), details: details)
            return
        }
        self.init(
            urlRequest: response.urlRequest,
            urlResponse: adapted,
            metrics: response.head.metrics,
            details: details
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

    var history: [Redirect] { details?.history ?? [] }

    /// Which fields are secrets.
    var redaction: Redaction { Redaction.descriptions.hiding(details?.sensitiveHeaders ?? []) }

    /// One line for logs: version, status and URL, without query, header fields and body.
    var summary: String {
        let url = Redaction.standard.location(of: urlRequest.url)
        guard let head else { return url }
        return "\(head.httpVersion) \(head.statusCode.rawValue) \(url)"
    }
}

extension ResponseOrigin: Redacted {
    /// Version, status and URL, without query, header fields and body.
    package var shown: KeyValuePairs<String, Any> { ["summary": summary] }
}

/// A response that knows its head and its history.
protocol ResponseOriginCarrying {
    var origin: ResponseOrigin { get }
}
