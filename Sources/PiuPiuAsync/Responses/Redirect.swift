/// One redirect that was followed on the way to a response.
public struct Redirect: Sendable, Hashable {
    /// The status code that sent the request on, such as 302.
    public var statusCode: StatusCode
    /// The URL that answered with it, without user information.
    public var source: URL {
        didSet { source = Redaction.standard.url(source) }
    }
    /// The URL the request went to next, without user information.
    public var target: URL {
        didSet { target = Redaction.standard.url(target) }
    }

    /// Where the time of this exchange went; `nil` if the transport did not measure.
    public var metrics: ExchangeMetrics?

    /// Creates a redirect.
    ///
    /// - Parameters:
    ///   - statusCode: The status code that sent the request on.
    ///   - source: The URL that answered with it; user information is cut out of it.
    ///   - target: The URL the request went to next; user information is cut out of it.
    ///   - metrics: Where the time of this exchange went.
    public init(statusCode: StatusCode, source: URL, target: URL, metrics: ExchangeMetrics? = nil) {
        self.statusCode = statusCode
        self.source = Redaction.standard.url(source)
        self.target = Redaction.standard.url(target)
        self.metrics = metrics
    }
}

extension Redirect: Redacted {
    /// The status code and both URLs, without queries.
    package var shown: KeyValuePairs<String, Any> {
        [
            "statusCode": statusCode.rawValue, "source": Redaction.standard.location(of: source),
            "target": Redaction.standard.location(of: target),
        ]
    }
}
