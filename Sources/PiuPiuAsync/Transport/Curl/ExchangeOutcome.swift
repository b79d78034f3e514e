#if os(Linux)
/// How an exchange ended, as the event loop tells the caller.
enum ExchangeOutcome: Sendable {
    case response(statusCode: Int, head: RawHead, body: Data?, metrics: ExchangeMetrics)
    /// The head is there; the body goes where it was asked for.
    case head(statusCode: Int, RawHead, expectedLength: Int64?, metrics: ExchangeMetrics)
    case failure(ExchangeFailure)
    case cancelled
}

/// Why there is no response.
///
/// The caller's side makes a ``TransportError`` of it, because it has the request.
struct ExchangeFailure: Error, Sendable {
    var code: TransportError.Code
    /// Why, in words; the code's own text by default.
    var reason: String?
    var underlyingDescription: String?
    var head: RawHead?
    var bytesReceived = 0
    /// What the caller's own body failed with, which goes before all that.
    var cause: (any Error)?
    /// Whether the server has certainly not processed the request.
    var isSafeToRetry = false
}
#endif
