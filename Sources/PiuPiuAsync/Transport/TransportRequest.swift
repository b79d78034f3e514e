/// A request on its way through the interceptors to the transport.
public struct TransportRequest: Sendable {
    /// The method, the URL, the header fields, and the body if it is in memory.
    public var urlRequest: URLRequest
    /// The limits that apply to this request.
    public var options: RequestOptions
    /// The deadline of the whole call, across all attempts and redirects; `nil` for no limit.
    public var deadline: ContinuousClock.Instant?
    /// A shared box for the values below; `nil` for most requests, which keeps each waiting request small.
    private var transfer: Transfer?

    /// The body if it is not in ``urlRequest``; `nil` for none.
    ///
    /// A transport sends either this or `urlRequest.httpBody`; a request with both is refused.
    public var body: RequestBody? {
        get { transfer?.body }
        set { mutate { $0.body = newValue } }
    }

    /// How the response's body is delivered; ``BodyDelivery/buffered`` by default.
    public var delivery: BodyDelivery {
        get { transfer?.delivery ?? .buffered }
        set { mutate { $0.delivery = newValue } }
    }

    /// The reporter of the bytes sent and received; `nil` for none.
    public var reporter: TransferReporter? {
        get { transfer?.reporter }
        set { mutate { $0.reporter = newValue } }
    }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The method, URL, header fields and body.
    ///   - options: The limits that apply.
    ///   - deadline: The deadline of the whole call.
    public init(
        _ urlRequest: URLRequest,
        options: RequestOptions = RequestOptions(),
        deadline: ContinuousClock.Instant? = nil
    ) {
        self.urlRequest = urlRequest
        self.options = options
        self.deadline = deadline
    }

    private mutating func mutate(_ change: (inout Transfer.Values) -> Void) {
        var values = transfer?.values ?? Transfer.Values()
        change(&values)
        transfer = Transfer(values)
    }

    private final class Transfer: Sendable {
        struct Values: Sendable {
            var body: RequestBody?
            var delivery = BodyDelivery.buffered
            var reporter: TransferReporter?
        }

        let values: Values
        var body: RequestBody? { values.body }
        var delivery: BodyDelivery { values.delivery }
        var reporter: TransferReporter? { values.reporter }

        init(_ values: Values) {
            self.values = values
        }
    }
}

/// How a transport delivers a response's body.
public enum BodyDelivery: Sendable, Hashable {
    /// Buffered, up to ``RequestOptions/maximumBufferedBody``, in ``TransportResponse/body``.
    case buffered
    /// As it arrives, in ``TransportResponse/stream``; the transport returns when the head arrives.
    ///
    /// A transport that does not support this may return a buffered body.
    case streamed
}

extension TransportRequest: Redacted {
    /// The method, the URL and the header fields, without secrets, query or body.
    package var shown: KeyValuePairs<String, Any> {
        let redaction = Redaction.descriptions.hiding(options.sensitiveHeaders)
        return [
            "method": urlRequest.httpMethod ?? "GET", "url": redaction.location(of: urlRequest.url),
            "headers": redaction.lines(of: urlRequest),
            "body": body?.description ?? "\(urlRequest.httpBody?.count ?? 0) bytes",
        ]
    }
}
