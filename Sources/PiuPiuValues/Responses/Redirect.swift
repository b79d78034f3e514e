/// One redirect that was followed on the way to a response.
public struct Redirect: Sendable, Hashable {
    /// The status code of the redirect, such as 302.
    public var statusCode: StatusCode
    /// The URL that responded with the redirect, without user information.
    public var source: URL {
        didSet { source = Redaction.standard.url(source) }
    }
    /// The URL of the next request, without user information.
    public var target: URL {
        didSet { target = Redaction.standard.url(target) }
    }

    /// The timing of this exchange; `nil` if the transport did not measure it.
    public var metrics: ExchangeMetrics?

    /// Creates a redirect.
    ///
    /// - Parameters:
    ///   - statusCode: The status code of the redirect.
    ///   - source: The URL that responded with the redirect; user information is removed from it.
    ///   - target: The URL of the next request; user information is removed from it.
    ///   - metrics: The timing of this exchange.
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
