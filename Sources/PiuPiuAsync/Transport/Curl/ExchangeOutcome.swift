#if os(Linux)
/// The outcome of an exchange, as the event loop reports it to the caller.
enum ExchangeOutcome: Sendable {
    case response(statusCode: Int, head: RawHead, body: Data?, metrics: ExchangeMetrics)
    /// The head has arrived; the body goes to the stream that the caller provided.
    case head(statusCode: Int, RawHead, expectedLength: Int64?, metrics: ExchangeMetrics)
    case failure(ExchangeFailure)
    case cancelled
}

/// The reason there is no response.
///
/// The caller's side converts it to a ``TransportError``, because it has the request.
struct ExchangeFailure: Error, Sendable {
    var code: TransportError.Code
    /// The reason as text; `nil` for the code's own text.
    var reason: String?
    var underlyingDescription: String?
    var head: RawHead?
    var bytesReceived = 0
    /// The error of the caller's own body, which takes precedence over everything else.
    var cause: (any Error)?
    /// Whether the server has certainly not processed the request.
    var isSafeToRetry = false
}
#endif
