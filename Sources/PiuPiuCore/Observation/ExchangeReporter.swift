/// Reports the events of an exchange to its observers, and collects the data for the summary.
///
/// An exchange has one reporter, which is used in one place at a time. Its user keeps the observers alive, see
/// ``ObservedExchange/takeReporter()``.
package struct ExchangeReporter: Sendable {
    private let exchange: ObservedExchange

    /// Creates the only reporter of an exchange that has begun.
    init(_ exchange: ObservedExchange) {
        self.exchange = exchange
    }

    /// Reports an event before the end; does nothing after the end.
    package func report(_ kind: ExchangeEvent.Kind) { report(ExchangeEvent(exchange, kind)) }

    private func report(_ event: ExchangeEvent) {
        exchange.notes.observers?._withUnsafeGuaranteedRef { $0.report(event) }
    }

    /// Reports that the exchange has a connection, whether its first or another.
    package func connectionTaken(_ connection: consuming ObservedConnection) {
        if exchange.notes.connection != nil {
            exchange.notes.details?.restart()
            report(.restarted)
        }
        report(.connectionTaken(copy connection))
        exchange.notes.connection = connection
    }

    /// Reports that the final head arrived.
    package func headArrived(_ statusCode: StatusCode, _ head: RawHead) {
        exchange.notes.details?.take(head)
        headArrived(statusCode, ObservedHead(head))
    }

    /// Reports that the final head arrived, in any form.
    func headArrived(_ statusCode: StatusCode, _ head: ObservedHead) {
        exchange.notes.statusCode = statusCode.rawValue
        report(ExchangeEvent(exchange, .head(statusCode), responseHead: head))
    }

    /// Reports that bytes of the response's body arrived, and whether they were decompressed.
    package func bodyReceived(_ bytes: UnsafeRawBufferPointer, isDecoded: Bool) {
        exchange.notes.details?.take(bytes, isDecoded: isDecoded)
        report(.bodyReceived(bytes.count))
    }

    /// Records the metrics measured so far.
    package func measured(_ metrics: ExchangeMetrics) {
        let details = exchange.notes.details ?? ExchangeNotes.Details(bodyLimit: 0)
        details.metrics = metrics
        // No connection was opened, but none was reused either.
        if exchange.notes.connection == nil { details.metrics?.isReusedConnection = false }
        exchange.notes.details = details
    }

    /// Reports the end, unless it was reported before; by default, with the recorded metrics and the recorded body.
    package func end(
        _ outcome: ObservedOutcome,
        _ metrics: ExchangeMetrics? = nil,
        _ responseBody: ObservedBody? = nil
    ) {
        guard let observers = exchange.notes.observers.take() else { return }
        if let name = outcome.failureName { exchange.call.exchangeFailed(name) }
        var summary = ExchangeSummary(
            outcome: outcome,
            statusCode: exchange.notes.statusCode == 0 ? nil : StatusCode(rawValue: exchange.notes.statusCode),
            // Moved, because all exchanges on the connection share its description.
            connection: exchange.notes.connection.take(),
            metrics: metrics,
            duration: exchange.duration,
            responseBody: responseBody
        )
        if let details = exchange.notes.details.take() { complete(&summary, details) }
        observers._withUnsafeGuaranteedRef { $0.report(summary, of: exchange) }
    }

    /// Adds the properties that few exchanges have.
    @inline(never)
    private func complete(_ summary: inout ExchangeSummary, _ details: ExchangeNotes.Details) {
        if summary.metrics == nil { summary.metrics = details.metrics }
        guard details.bodyLimit > 0 else { return }
        summary.requestBody = exchange.requestBody(upTo: details.bodyLimit)
        let isComplete = if case .response = summary.outcome { true } else { false }
        if summary.responseBody == nil { summary.responseBody = details.responseBody(isComplete: isComplete) }
    }
}
