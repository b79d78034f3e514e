import PiuPiuAsync

/// A request as a mock received it.
public struct MockRequest: Sendable {
    /// The request, after all interceptors, adapters and redirects.
    ///
    /// `httpBody` has the bytes of the body, regardless of their source.
    public let urlRequest: URLRequest
    /// The URL to which the request was sent.
    public let url: URL
    /// Whether ``body`` is complete; `false` if the body exceeds the limit of the transport.
    public let isBodyComplete: Bool
    /// The limits that applied.
    public let options: RequestOptions
    /// How the response's body is delivered.
    public let delivery: BodyDelivery

    /// Creates a record of a request, which must have a URL.
    init(_ request: TransportRequest, body: Data, isBodyComplete: Bool, adding fields: HTTPHeaderFields = [:]) {
        var urlRequest = request.urlRequest
        if !body.isEmpty { urlRequest.httpBody = body }
        for field in fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
        self.urlRequest = urlRequest
        url = urlRequest.url ?? URL(filePath: "/")
        self.isBodyComplete = isBodyComplete
        options = request.options
        delivery = request.delivery
    }

    /// The path of the URL, without percent-encoding and with the leading slash.
    public var path: String {
        let path = url.path(percentEncoded: false)
        return path.isEmpty ? "/" : path
    }

    /// The items of the URL's query, without percent-encoding; empty if it has none.
    ///
    /// ```swift
    /// let page = request.query["page"]
    /// let tags = request.query.values(for: "tag")
    /// ```
    public var query: QueryItems {
        QueryItems(URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [])
    }

    /// The method, such as `GET`.
    public var method: String { urlRequest.httpMethod ?? "GET" }

    /// The bytes of the body; empty if the request had none.
    public var body: Data { urlRequest.httpBody ?? Data() }

    /// The value of a header field; `nil` if it is absent.
    ///
    /// - Parameter name: The name of the field, in upper or lower case.
    public subscript(name: String) -> String? { urlRequest.value(forHTTPHeaderField: name) }
}

extension MockRequest: Redacted {
    /// The method and the URL, without query, header fields and body.
    public var description: String { "\(method) \(Redaction.standard.location(of: url))" }

    /// The same as the description, so that `dump` shows no secrets and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
