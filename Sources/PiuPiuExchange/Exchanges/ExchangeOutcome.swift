#if os(Linux)
/// The outcome of an exchange, as the event loop reports it to the caller.
package enum ExchangeOutcome: Sendable {
    case response(statusCode: Int, head: RawHead, body: Data?, metrics: ExchangeMetrics, extras: RawExtras?)
    /// The head has arrived; the body goes to the stream that the caller provided.
    case head(statusCode: Int, RawHead, expectedLength: Int64?, metrics: ExchangeMetrics, extras: RawExtras?)
    // Indirect, because every waiting request reserves memory for an outcome, and a failure is large.
    indirect case failure(ExchangeFailure)
    case cancelled

    /// Whether the caller cancelled the exchange.
    package var isCancelled: Bool { if case .cancelled = self { true } else { false } }

    /// Returns the response, or throws ``TransportError`` or `CancellationError`; the body is `inbound` if it is streamed.
    ///
    /// Not inlined, to keep the frame of each waiting request small.
    @inline(never)
    package func response(to request: TransportRequest, inbound: InboundBody?) throws -> TransportResponse {
        switch self {
        case .response(let statusCode, let raw, let body, let metrics, let extras):
            return TransportResponse(record: Self.record(raw, statusCode, metrics, extras, request), body: body)
        case .head(let statusCode, let raw, let expectedLength, let metrics, let extras):
            return TransportResponse(
                record: Self.record(raw, statusCode, metrics, extras, request),
                body: nil,
                stream: inbound.map { ResponseBody($0, of: request, expectedLength: expectedLength) }
            )
        case .cancelled: throw CancellationError()
        case .failure(let failure): throw failure.error(for: request)
        }
    }

    private static func record(
        _ raw: RawHead,
        _ statusCode: Int,
        _ metrics: ExchangeMetrics,
        _ extras: RawExtras?,
        _ request: TransportRequest
    ) -> ResponseRecord {
        ResponseRecord(
            .raw(raw),
            to: request.urlRequest,
            statusCode: statusCode,
            metrics: metrics,
            extras: extras?.parsed
        )
    }
}
#endif
