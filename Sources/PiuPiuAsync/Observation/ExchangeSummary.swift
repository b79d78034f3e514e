/// What is known of an exchange when it ends.
public struct ExchangeSummary: Sendable {
    /// How it ended.
    public var outcome: ObservedOutcome
    /// The status code of the response's head; `nil` if there was none.
    ///
    /// The body can still have failed.
    public var statusCode: StatusCode?
    /// The connection it used last; `nil` if it never had one, or the transport does not tell.
    public var connection: ObservedConnection?
    /// Its timing and the bytes of both directions; `nil` if the transport did not measure them.
    public var metrics: ExchangeMetrics?
    /// The time from its start to its end, including the time in the queue.
    public var duration: Duration

    /// Creates a summary.
    ///
    /// - Parameters:
    ///   - outcome: How the exchange ended.
    ///   - statusCode: The status code of the response's head.
    ///   - connection: The connection it used last.
    ///   - metrics: Its timing.
    ///   - duration: The time from its start to its end.
    public init(
        outcome: ObservedOutcome,
        statusCode: StatusCode? = nil,
        connection: ObservedConnection? = nil,
        metrics: ExchangeMetrics? = nil,
        duration: Duration = .zero
    ) {
        self.outcome = outcome
        self.statusCode = statusCode
        self.connection = connection
        self.metrics = metrics
        self.duration = duration
    }
}
