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

    /// Whether there is a response, or at least its head.
    package var isResponse: Bool {
        switch self {
        case .response, .head: true
        case .failure, .cancelled: false
        }
    }

    /// Ends the stream of the body, after the caller got the head.
    package func end(_ inbound: InboundBody?) {
        guard let inbound else { return }
        switch self {
        case .response(_, _, _, _, let extras): inbound.finish(nil, trailers: extras?.trailers ?? [])
        case .head: inbound.finish(nil)
        case .failure(let failure): inbound.finish(failure)
        case .cancelled: inbound.finish(CancellationError())
        }
    }

    /// Reports the end to observers.
    ///
    /// With `isAbandoned`, the reader of the body is gone: its next piece can arrive before the command to cancel.
    @inline(never)
    package func end(_ observed: ExchangeReporter, of request: TransportRequest, isAbandoned: Bool) {
        switch self {
        case .response(let statusCode, _, _, let metrics, _), .head(let statusCode, _, _, let metrics, _):
            observed.end(.response(StatusCode(rawValue: statusCode)), metrics)
        case .cancelled: observed.end(.cancelled)
        case .failure where isAbandoned: observed.end(.cancelled)
        case .failure(let failure): observed.end(.failure(failure.error(for: request)))
        }
    }

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
