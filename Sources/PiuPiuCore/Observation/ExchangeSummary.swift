/// A summary of an exchange at its end.
public struct ExchangeSummary: Sendable {
    private struct Values: Sendable {
        var outcome: ObservedOutcome
        var statusCode: StatusCode?
        var connection: ObservedConnection?
        var metrics: ExchangeMetrics?
        var duration: Duration
        var bodies: Bodies?
    }

    /// The beginnings of the bodies, which few summaries contain.
    private final class Bodies: Sendable {
        let request: ObservedBody?
        let response: ObservedBody?

        init(_ request: ObservedBody?, _ response: ObservedBody?) {
            self.request = request
            self.response = response
        }
    }

    /// One box, because each observer's event copies it.
    private var storage: CopyOnWrite<Values>

    /// How the exchange ended.
    public var outcome: ObservedOutcome {
        get { storage.values.outcome }
        set { storage.values.outcome = newValue }
    }

    /// The status code of the response's head; `nil` if there was none.
    ///
    /// The body can have failed afterwards.
    public var statusCode: StatusCode? {
        get { storage.values.statusCode }
        set { storage.values.statusCode = newValue }
    }

    /// The last connection of the exchange; `nil` if it never had one, or the transport does not report it.
    public var connection: ObservedConnection? {
        get { storage.values.connection }
        set { storage.values.connection = newValue }
    }

    /// The timing and the bytes of both directions; `nil` if the transport did not measure them.
    public var metrics: ExchangeMetrics? {
        get { storage.values.metrics }
        set { storage.values.metrics = newValue }
    }

    /// The time from the start to the end of the exchange, including the time in the queue.
    public var duration: Duration {
        get { storage.values.duration }
        set { storage.values.duration = newValue }
    }

    /// The beginning of the request's body, as it was last sent: compressed, if the request is.
    ///
    /// It is `nil` if the request has no body, or if the observer does not request bodies with ``ExchangeObserver/bodyLimit``.
    /// A body in memory is complete even if the exchange ended before it was sent; others contain the bytes that were sent.
    public var requestBody: ObservedBody? {
        get { storage.values.bodies?.request }
        set { storage.values.bodies = Bodies(newValue, responseBody) }
    }

    /// The beginning of the response's body, as the caller receives it: decompressed, if the transport does that.
    ///
    /// It is `nil` if no byte of it arrived, or if the observer does not request bodies with ``ExchangeObserver/bodyLimit``.
    public var responseBody: ObservedBody? {
        get { storage.values.bodies?.response }
        set { storage.values.bodies = Bodies(requestBody, newValue) }
    }

    /// Creates a summary.
    ///
    /// - Parameters:
    ///   - outcome: How the exchange ended.
    ///   - statusCode: The status code of the response's head.
    ///   - connection: The last connection of the exchange.
    ///   - metrics: The timing and the bytes of both directions.
    ///   - duration: The time from the start to the end of the exchange.
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
        storage = CopyOnWrite(
            Values(
                outcome: outcome,
                statusCode: statusCode,
                connection: connection,
                metrics: metrics,
                duration: duration,
                bodies: requestBody == nil && responseBody == nil ? nil : Bodies(requestBody, responseBody)
            )
        )
    }

    /// Returns the summary with at most a number of bytes of each body.
    func limitingBodies(to limit: Int) -> ExchangeSummary {
        guard let bodies = storage.values.bodies else { return self }
        var copy = self
        copy.storage.values.bodies = Bodies(bodies.request?.limited(to: limit), bodies.response?.limited(to: limit))
        return copy
    }
}

extension ExchangeSummary: Redacted {
    /// All properties, with only the sizes of the bodies.
    package var shown: KeyValuePairs<String, Any> {
        [
            "outcome": outcome, "statusCode": statusCode as Any, "connection": connection as Any,
            "metrics": metrics as Any, "duration": duration, "requestBody": requestBody as Any,
            "responseBody": responseBody as Any,
        ]
    }
}
