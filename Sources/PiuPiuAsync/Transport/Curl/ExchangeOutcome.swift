#if os(Linux)
/// The outcome of an exchange, as the event loop reports it to the caller.
enum ExchangeOutcome: Sendable {
    case response(statusCode: Int, head: RawHead, body: Data?, metrics: ExchangeMetrics, extras: RawExtras?)
    /// The head has arrived; the body goes to the stream that the caller provided.
    case head(statusCode: Int, RawHead, expectedLength: Int64?, metrics: ExchangeMetrics, extras: RawExtras?)
    // Indirect, because every waiting request has room for an outcome, and a failure is large.
    indirect case failure(ExchangeFailure)
    case cancelled

    /// Whether the caller gave the exchange up.
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}
#endif
