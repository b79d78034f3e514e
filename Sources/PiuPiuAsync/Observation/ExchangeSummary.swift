/// What is known of an exchange when it ends.
public struct ExchangeSummary: Sendable {
    /// One object, because most summaries have no bodies, and each event copies its summary.
    private final class Bodies: Sendable {
        let request: ObservedBody?
        let response: ObservedBody?

        init?(_ request: ObservedBody?, _ response: ObservedBody?) {
            guard request != nil || response != nil else { return nil }
            self.request = request
            self.response = response
        }
    }

    /// How it ended.
    public var outcome: ObservedOutcome
    /// The status code of the response's head; `nil` if there was none.
    ///
    /// The body can have failed afterwards.
    public var statusCode: StatusCode?
    /// The connection it used last; `nil` if it never had one, or the transport does not tell.
    public var connection: ObservedConnection?
    /// Its timing and the bytes of both directions; `nil` if the transport did not measure them.
    public var metrics: ExchangeMetrics?
    /// The time from its start to its end, including the time in the queue.
    public var duration: Duration
    private var bodies: Bodies?

    /// The beginning of the request's body, as it was sent last: compressed, if the request is.
    ///
    /// `nil` if the request has no body, and unless the observer asks for it by ``ExchangeObserver/bodyLimit``. A body in
    /// memory is complete even if the exchange ended before it was sent; all others are as far as they were sent.
    public var requestBody: ObservedBody? {
        get { bodies?.request }
        set { bodies = Bodies(newValue, bodies?.response) }
    }

    /// The beginning of the response's body, as the caller gets it: decompressed, if the transport does that.
    ///
    /// `nil` if no byte of it arrived, and unless the observer asks for it by ``ExchangeObserver/bodyLimit``.
    public var responseBody: ObservedBody? {
        get { bodies?.response }
        set { bodies = Bodies(bodies?.request, newValue) }
    }

    /// Creates a summary.
    ///
    /// - Parameters:
    ///   - outcome: How the exchange ended.
    ///   - statusCode: The status code of the response's head.
    ///   - connection: The connection it used last.
    ///   - metrics: Its timing.
    ///   - duration: The time from its start to its end.
    ///   - requestBody: The beginning of the request's body.
    ///   - responseBody: The beginning of the response's body.
    public init(
        outcome: ObservedOutcome,
        statusCode: StatusCode? = nil,
        connection: ObservedConnection? = nil,
        metrics: ExchangeMetrics? = nil,
        duration: Duration = .zero,
        requestBody: ObservedBody? = nil,
        responseBody: ObservedBody? = nil
    ) {
        self.outcome = outcome
        self.statusCode = statusCode
        self.connection = connection
        self.metrics = metrics
        self.duration = duration
        bodies = Bodies(requestBody, responseBody)
    }

    /// Returns the summary with no more of the bodies than an observer asks for.
    func limitingBodies(to limit: Int) -> ExchangeSummary {
        var copy = self
        copy.bodies = Bodies(requestBody?.limited(to: limit), responseBody?.limited(to: limit))
        return copy
    }
}

extension ExchangeSummary: Redacted {
    /// Everything, with the sizes of the bodies only.
    package var shown: KeyValuePairs<String, Any> {
        [
            "outcome": outcome, "statusCode": statusCode as Any, "connection": connection as Any,
            "metrics": metrics as Any, "duration": duration, "requestBody": requestBody as Any,
            "responseBody": responseBody as Any,
        ]
    }
}
