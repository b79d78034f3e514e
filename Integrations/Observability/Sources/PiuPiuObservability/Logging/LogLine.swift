import Logging
import PiuPiuAsync

/// What a ``LoggerObserver`` says of an exchange.
struct LogLine {
    let message: Logger.Message
    let metadata: Logger.Metadata

    init(_ exchange: ObservedExchange, _ summary: ExchangeSummary, _ ending: ExchangeEnding) {
        // The same few texts for all exchanges, so that lines can be grouped by them.
        message =
            switch ending {
            case .success: "HTTP exchange succeeded"
            case .errorStatus: "HTTP exchange ended with an error status"
            case .failure: "HTTP exchange failed"
            case .cancelled: "HTTP exchange was cancelled"
            }
        var metadata: Logger.Metadata = [
            "http.request.method": "\(exchange.method)",
            "url.full": "\(exchange.location)",
            "http.client.request.duration": .seconds(summary.duration),
            "piupiu.call": .number(exchange.call.id),
            "piupiu.attempt": .number(exchange.attempt.number),
        ]
        metadata["url.template"] = exchange.urlTemplate.map { "\($0)" }
        metadata["http.response.status_code"] = summary.statusCode.map { .number($0.rawValue) }
        metadata["error.type"] = ending.errorType.map { "\($0)" }
        metadata["error.message"] = summary.errorMessage.map { "\($0)" }
        metadata["piupiu.cause"] = exchange.attempt.cause.name.map { "\($0)" }
        if exchange.resendCount > 0 { metadata["http.request.resend_count"] = .number(exchange.resendCount) }
        if exchange.redirectCount > 0 { metadata["piupiu.redirects"] = .number(exchange.redirectCount) }
        if let connection = summary.connection {
            metadata["piupiu.connection"] = connection.isReused ? "reused" : "new"
            metadata["network.protocol.version"] = HTTPConventions.protocolVersion(connection).map { "\($0)" }
            if let peer = HTTPConventions.peer(connection) {
                metadata["network.peer.address"] = "\(peer.address)"
                metadata["network.peer.port"] = .number(peer.port)
            }
        }
        if let metrics = summary.metrics {
            metadata["piupiu.time.queued"] = .seconds(metrics.queued)
            metadata["piupiu.time.first_byte"] = .seconds(metrics.firstByte)
            if metrics.bytesSent > 0 { metadata["http.request.size"] = .number(metrics.bytesSent) }
            if metrics.bytesReceived > 0 { metadata["http.response.size"] = .number(metrics.bytesReceived) }
        }
        self.metadata = metadata
    }
}

extension Logger.MetadataValue {
    fileprivate static func number(_ value: Int) -> Self { .stringConvertible(value) }

    fileprivate static func seconds(_ duration: Duration) -> Self { .stringConvertible(duration / .seconds(1)) }
}

extension Attempt.Cause {
    /// A name for logs; `nil` for a first attempt.
    fileprivate var name: String? {
        switch self {
        case .call: nil
        case .status(let statusCode): "\(statusCode.rawValue)"
        case .failure(let code): "\(code)"
        case .otherFailure: "error"
        case .credentials: "credentials"
        case .hedge: "hedge"
        }
    }
}
