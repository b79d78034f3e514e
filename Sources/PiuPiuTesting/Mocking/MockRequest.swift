import PiuPiuAsync

/// A request as a mock received it.
public struct MockRequest: Sendable {
    /// The request, after every interceptor, adapter and redirect; `httpBody` has the bytes of the body, wherever they
    /// came from.
    public let urlRequest: URLRequest
    /// The URL, with which it was sent.
    public let url: URL
    /// Whether ``body`` is all there was; `false` where it was longer than the transport reads.
    public let isBodyComplete: Bool
    /// The limits that applied.
    public let options: RequestOptions
    /// How the response's body was asked for.
    public let delivery: BodyDelivery

    /// Takes a request down.
    ///
    /// - Parameters:
    ///   - request: The request; it has a URL, or it could not have been sent.
    ///   - body: What was read of its body.
    ///   - isBodyComplete: Whether that is all.
    init(_ request: TransportRequest, body: Data, isBodyComplete: Bool) {
        var urlRequest = request.urlRequest
        if !body.isEmpty { urlRequest.httpBody = body }
        self.urlRequest = urlRequest
        url = urlRequest.url ?? URL(filePath: "/")
        self.isBodyComplete = isBodyComplete
        options = request.options
        delivery = request.delivery
    }

    /// The path of the URL, without percent-encoding and with the slash at its beginning.
    public var path: String {
        let path = url.path(percentEncoded: false)
        return path.isEmpty ? "/" : path
    }

    /// The method, such as `GET`.
    public var method: String { urlRequest.httpMethod ?? "GET" }

    /// The bytes of the body; empty where it had none.
    public var body: Data { urlRequest.httpBody ?? Data() }

    /// The value of a header field; `nil` where it is absent.
    ///
    /// - Parameter name: The field's name, in any case.
    public subscript(name: String) -> String? { urlRequest.value(forHTTPHeaderField: name) }
}

extension MockRequest: Redacted {
    /// Method and URL, without query, header fields and body.
    public var description: String { "\(method) \(Redaction.standard.location(of: url))" }

    /// The same as the description, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}
