/// The response of a transport and the interceptors around it: the head, the body, and the redirects that were followed.
public struct TransportResponse: Sendable {
    package private(set) var record: ResponseRecord
    /// The decoded body; `nil` if the response has none or an empty one.
    public var body: Data?
    /// The body as it arrives, if ``TransportRequest/delivery`` requested a stream; ``body`` is `nil` in this case.
    ///
    /// An interceptor that replaces this response drops the stream, which closes the exchange.
    public var stream: ResponseBody?

    /// The final head; interim (1xx) ones are in ``ResponseHead/informational``.
    public var head: ResponseHead {
        get { ResponseHead(record: record) }
        set { record = record.replacingHead(with: newValue.record) }
    }

    /// The fields that followed ``body``, without those that have no meaning there (RFC 9110 §6.5); empty if there were none.
    ///
    /// The fields that follow ``stream`` are in ``ResponseBody/trailers``.
    public var trailers: HTTPHeaderFields {
        get { record.trailers }
        set {
            record = record.with {
                $0.extras = .make(informational: $0.extras?.informational ?? [], trailers: newValue)
            }
        }
    }

    /// The request as it was sent, after all adapters and redirects.
    public var urlRequest: URLRequest {
        get { record.urlRequest }
        set { record = record.with { $0.urlRequest = newValue } }
    }

    /// The redirects that were followed, oldest first.
    public var history: [Redirect] {
        get { record.values.history }
        set { record = record.with { $0.history = newValue } }
    }

    /// A response that an adapter substituted for ``head``; not necessarily an HTTP response.
    public var adaptedResponse: URLResponse? {
        get { record.values.adaptedResponse }
        set { record = record.with { $0.adaptedResponse = newValue } }
    }

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
        self.init(record: head.record.answering(urlRequest, history), body: body, stream: stream)
    }

    package init(record: ResponseRecord, body: Data?, stream: ResponseBody? = nil) {
        self.record = record
        self.body = body
        self.stream = stream
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
