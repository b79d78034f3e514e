/// Reports the events of an exchange to its observers, and collects what the summary needs.
///
/// A transport that drives an exchange has its only reporter, and uses it in one place at a time. The exchange itself does
/// not know its observers any more: an observer can keep it without keeping itself.
final class ExchangeReporter {
    private let exchange: ObservedExchange
    private let observers: ObserverList
    private var connection: ObservedConnection?
    private var statusCode: StatusCode?
    private var metrics: ExchangeMetrics?
    /// The beginning of the response's body; `nil` if no observer wants it.
    private var body: BodyBeginning?
    /// The head of the response whose body it is, and whether the body is passed on decompressed.
    private var head: RawHead?
    private var isDecoded = false
    private var isOver = false

    /// Creates the reporter of an exchange that has begun.
    init(_ exchange: ObservedExchange, _ observers: ObserverList) {
        self.exchange = exchange
        self.observers = observers
        if observers.bodyLimit > 0 { body = BodyBeginning(limit: observers.bodyLimit) }
    }

    /// Reports something that happens before the end; nothing afterwards.
    func report(_ kind: ExchangeEvent.Kind) {
        if !isOver { observers.report(kind, of: exchange) }
    }

    /// Reports that the exchange has a connection, the first one or another.
    func connectionTaken(_ connection: ObservedConnection) {
        if self.connection != nil {
            body?.restart()
            report(.restarted)
        }
        self.connection = connection
        report(.connectionTaken(connection))
    }

    /// Creates what reports a connection that the exchange has opened.
    func monitor(_ connection: ObservedConnection, to origin: String) -> ConnectionMonitor {
        ConnectionMonitor(connection, to: origin, observers)
    }

    /// Reports that the final head arrived.
    func headArrived(_ statusCode: StatusCode, _ head: RawHead) {
        self.statusCode = statusCode
        if body != nil { self.head = head }
        if !isOver { observers.headArrived(statusCode, ObservedHead(head), of: exchange) }
    }

    /// Reports that bytes of the response's body arrived.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that are passed on.
    ///   - isDecoded: Whether they were decompressed.
    func bodyReceived(_ bytes: UnsafeRawBufferPointer, isDecoded: Bool) {
        if body != nil {
            body?.append(bytes)
            self.isDecoded = isDecoded
        }
        report(.bodyReceived(bytes.count))
    }

    /// Records what was measured so far.
    func measured(_ metrics: ExchangeMetrics) {
        self.metrics = metrics
        // Nothing was opened, but nothing was used either.
        if connection == nil { self.metrics?.isReusedConnection = false }
    }

    /// Reports the end, unless it was reported before.
    ///
    /// - Parameters:
    ///   - outcome: How the exchange ended.
    ///   - metrics: What was measured; what was recorded by default.
    func end(_ outcome: ObservedOutcome, _ metrics: ExchangeMetrics? = nil) {
        guard !isOver else { return }
        isOver = true
        observers.end(exchange, outcome, statusCode, connection, metrics ?? self.metrics, responseBody(outcome))
    }

    private func responseBody(_ outcome: ObservedOutcome) -> ObservedBody? {
        guard let body, body.size > 0 else { return nil }
        let isComplete = if case .response = outcome { true } else { false }
        let encoding = isDecoded ? nil : head?.firstValue(of: "Content-Encoding")
        return ObservedBody(body, isComplete: isComplete, head?.firstValue(of: "Content-Type"), encoding)
    }
}

extension ObserverList {
    /// Reports the final head of an exchange.
    func headArrived(_ statusCode: StatusCode, _ head: ObservedHead, of exchange: ObservedExchange) {
        report(ExchangeEvent(call: exchange.call, exchange: exchange, kind: .head(statusCode), responseHead: head))
    }

    /// Reports the end of an exchange.
    func end(
        _ exchange: ObservedExchange,
        _ outcome: ObservedOutcome,
        _ statusCode: StatusCode?,
        _ connection: ObservedConnection? = nil,
        _ metrics: ExchangeMetrics? = nil,
        _ responseBody: ObservedBody? = nil
    ) {
        let call = exchange.call
        call.exchangeEnded(outcome)
        let summary = ExchangeSummary(
            outcome: outcome,
            statusCode: statusCode,
            connection: connection,
            metrics: metrics,
            duration: exchange.startedAt.duration(to: call.time.now),
            requestBody: bodyLimit > 0 ? exchange.requestBody(upTo: bodyLimit) : nil,
            responseBody: responseBody
        )
        report(summary, of: exchange)
    }
}
