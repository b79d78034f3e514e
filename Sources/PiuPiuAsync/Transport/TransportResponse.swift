/// The response of a transport and the interceptors around it: the head, the body, and the redirects followed.
public struct TransportResponse: Sendable {
    /// The final head; the transport skips informational (1xx) heads.
    public var head: ResponseHead
    /// The decoded body; `nil` if the response has none or an empty one.
    public var body: Data?
    /// The body as it arrives, if ``TransportRequest/delivery`` asked for it; ``body`` is then `nil`.
    ///
    /// An interceptor that returns another response in place of this one drops the stream, which closes the exchange.
    public var stream: ResponseBody?
    /// The request as it was sent, after every adapter and redirect.
    public var urlRequest: URLRequest
    /// The redirects that were followed, oldest first.
    public var history: [Redirect]
    /// A response that an adapter substituted for ``head``; it need not be HTTP.
    public var adaptedResponse: URLResponse?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The final head.
    ///   - body: The body; `nil` if it is empty.
    ///   - stream: The body as it arrives, in place of `body`.
    ///   - urlRequest: The request as it was sent.
    ///   - history: The redirects that were followed.
    public init(
        head: ResponseHead,
        body: Data?,
        stream: ResponseBody? = nil,
        urlRequest: URLRequest,
        history: [Redirect] = []
    ) {
        self.head = head
        self.body = body
        self.stream = stream
        self.urlRequest = urlRequest
        self.history = history
        self.adaptedResponse = nil
    }
}

extension TransportResponse: Redacted {
    /// The status code and the URL, without query, header fields or body.
    package var shown: KeyValuePairs<String, Any> {
        [
            "statusCode": head.statusCode.rawValue, "url": Redaction.standard.location(of: head.url),
            "body": stream == nil ? "\(body?.count ?? 0) bytes" : "a stream",
        ]
    }
}
