import PiuPiuAsync
import PiuPiuTesting
import Testing

/// The rules for the order of events, one by one.
struct EventOrderTests {
    private static let connection = ExchangeEvent.Kind.connectionTaken(ObservedConnection(isReused: false))
    private static let ended = ExchangeEvent.Kind.exchangeEnded(ExchangeSummary(outcome: .cancelled))

    private static func ended(_ statusCode: StatusCode?) -> ExchangeEvent.Kind {
        .exchangeEnded(ExchangeSummary(outcome: .response(.ok), statusCode: statusCode))
    }

    /// Feeds a machine with the events of one exchange, after the start of its call and its own.
    private func order(_ kinds: [ExchangeEvent.Kind]) -> EventOrder {
        var order = EventOrder()
        order.take(.callStarted, call: 1, exchange: nil)
        order.take(.exchangeStarted, call: 1, exchange: 1)
        for kind in kinds { order.take(kind, call: 1, exchange: 1) }
        return order
    }

    @Test(
        arguments: [
            [.queued, connection, .requestSent, .informational(.earlyHints), .head(.ok), .bodyReceived(1), ended(.ok)],
            [
                connection, .bodySent(3), .requestSent, .restarted, connection, .bodySent(3), .requestSent, .head(.ok),
                ended,
            ],
            [connection, .head(.ok), .bodySent(1), .bodyReceived(2), ended(.ok)],
            [.head(.ok), ended(.ok)], [ended], [.queued, ended], [connection, ended], [connection, .restarted, ended],
        ] as [[ExchangeEvent.Kind]]
    )
    func acceptsWhatMayHappen(_ kinds: [ExchangeEvent.Kind]) {
        let order = order(kinds)
        #expect(order.violations == [])
        #expect(order.openExchangeCount == 0)
        #expect(order.openCallCount == 1)
        #expect(order.exchangeCount == 1)
    }

    @Test(
        arguments: [
            [.exchangeStarted], [ended, ended], [ended, .head(.ok)], [.queued, .queued], [connection, .queued],
            [connection, connection], [.restarted], [.head(.ok), connection], [.bodySent(1)],
            [connection, .bodySent(0)],
            [.requestSent], [connection, .requestSent, .requestSent], [connection, .requestSent, .bodySent(1)],
            [.informational(.earlyHints)], [connection, .informational(.ok)], [connection, .head(.earlyHints)],
            [.head(.ok), .head(.ok)],
            [.queued, .head(.ok)], [connection, .bodyReceived(1)], [.head(.ok), .bodyReceived(0)],
            [.head(.ok), .restarted],
            [ended(.ok)], [.head(.ok), ended(nil)], [.head(.ok), ended(.notFound)], [.callStarted],
            [.callEnded(.cancelled)],
        ] as [[ExchangeEvent.Kind]]
    )
    func findsWhatMayNot(_ kinds: [ExchangeEvent.Kind]) {
        #expect(order(kinds).violations.count == 1)
    }

    @Test func aCallHasOneStartAndOneEnd() {
        var order = EventOrder()
        order.take(.callEnded(.cancelled), call: 1, exchange: nil)
        order.take(.exchangeStarted, call: 1, exchange: 1)
        order.take(.redirected(.found, location: ""), call: 1, exchange: nil)
        #expect(order.violations.count == 3)
        order.take(.callStarted, call: 1, exchange: nil)
        order.take(.redirected(.found, location: ""), call: 1, exchange: nil)
        order.take(.retryPlanned(.otherFailure, delay: .zero), call: 1, exchange: nil)
        order.take(.callEnded(.cancelled), call: 1, exchange: nil)
        #expect(order.violations.count == 3)
        #expect(order.openCallCount == 0)
        order.take(.callStarted, call: 1, exchange: nil)
        order.take(.callEnded(.cancelled), call: 1, exchange: nil)
        order.take(.head(.ok), call: 1, exchange: nil)
        order.take(.head(.ok), call: 1, exchange: 1)
        #expect(order.violations.count == 7)
        for _ in 0..<200 { order.take(.head(.ok), call: 1, exchange: 1) }
        #expect(order.violations.count == 100)
    }
}
