import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport

/// Writes events down as short texts, such as `2 head 200` for the second exchange of a call, and waits for them.
final class EventRecorder: ExchangeObserver {
    @TaskLocal static var trace = "none"

    struct State: Sendable {
        var events: [ExchangeEvent] = []
        var texts: [String] = []
        var traces: [String] = []
        var order = EventOrder()

        /// The events but those about bytes, of which there can be any number.
        var outline: [String] { texts.filter { !$0.contains(" body ") } }

        /// The exchanges that ended, with their summaries.
        var ended: [(exchange: ObservedExchange, summary: ExchangeSummary)] {
            events.compactMap { event in
                guard case .exchangeEnded(let summary) = event.kind else { return nil }
                return event.exchange.map { ($0, summary) }
            }
        }

        var endedCalls: Int { texts.count { $0.hasPrefix("ended ") } }
    }

    let bodyLimit: Int
    let observed = Observed(State())
    private let fields: @Sendable (ObservedExchange) -> HTTPHeaderFields

    init(bodyLimit: Int = 0, _ fields: @escaping @Sendable (ObservedExchange) -> HTTPHeaderFields = { _ in [:] }) {
        self.bodyLimit = bodyLimit
        self.fields = fields
    }

    var state: State { observed.value }

    func observe(_ event: ExchangeEvent) {
        let text = Self.text(of: event)
        let trace = Self.trace
        observed.update { state in
            state.events.append(event)
            state.texts.append(text)
            state.traces.append(trace)
            state.order.take(event.kind, call: event.call.id, exchange: event.exchange?.number)
        }
    }

    func headerFields(for exchange: ObservedExchange) -> HTTPHeaderFields { fields(exchange) }

    /// Waits until a number of calls has ended, and all their exchanges.
    func outline(of calls: Int) async -> [String] {
        _ = await observed.wait { $0.endedCalls >= calls && $0.order.openExchangeCount == 0 }
        return state.outline
    }

    static func text(of event: ExchangeEvent) -> String {
        let text =
            switch event.kind {
            case .callStarted: "started"
            case .exchangeStarted: "exchange"
            case .queued: "queued"
            case .connectionTaken(let connection): connection.isReused ? "reused" : "connected"
            case .restarted: "restarted"
            case .bodySent(let count): "body sent \(count)"
            case .requestSent: "sent"
            case .informational(let statusCode): "interim \(statusCode.rawValue)"
            case .head(let statusCode): "head \(statusCode.rawValue)"
            case .bodyReceived(let count): "body received \(count)"
            case .exchangeEnded(let summary): "over \(Self.text(of: summary.outcome))"
            case .redirected(let statusCode, let location): "redirected \(statusCode.rawValue) \(location)"
            case .retryPlanned(let cause, let delay): "retry \(cause) \(delay)"
            case .cached(let status): "cached \(status)"
            case .webSocketMessage(let message): "\(message.direction) \(message.byteCount)"
            case .webSocketClosed(let code, _): "closed \(code)"
            case .callEnded(let outcome): "ended \(Self.text(of: outcome))"
            }
        return (event.exchange.map { "\($0.number) " } ?? "") + text
    }

    private static func text(of outcome: ObservedOutcome) -> String {
        if case .response(let statusCode) = outcome { return "\(statusCode.rawValue)" }
        return outcome.failureName ?? "?"
    }
}

extension TransportResponse {
    /// A response with a streamed body, which may fail after its pieces.
    static func scripted(
        _ statusCode: Int,
        for request: TransportRequest,
        stream pieces: [String],
        failure: (any Error)? = nil
    ) -> TransportResponse {
        let rest = Locked(pieces)
        var response = scripted(statusCode, for: request)
        response.stream = ResponseBody {
            let piece = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if piece == nil, let failure { throw failure }
            return piece.map { Data($0.utf8) }
        }
        return response
    }
}
