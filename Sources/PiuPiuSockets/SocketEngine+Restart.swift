#if os(Linux)
import PiuPiuEngine

// Exchanges that are sent again on another connection.
extension SocketEngine {
    /// Takes an exchange from its connection and sends it again.
    ///
    /// - Parameters:
    ///   - exchange: The exchange to restart.
    ///   - isUnprocessed: Whether the server has certainly not processed it.
    ///   - change: Modifies the exchange before the next attempt.
    func restart(_ exchange: SocketExchange, isUnprocessed: Bool, _ change: (SocketExchange) -> Void) {
        leave(exchange)
        change(exchange)
        begin(exchange, anew: isUnprocessed)
    }

    /// Sends an exchange without a connection again.
    ///
    /// - Parameters:
    ///   - exchange: The exchange to restart.
    ///   - isUnprocessed: Whether the server has certainly not processed it.
    ///   - pause: The delay before the next attempt, in nanoseconds.
    func begin(_ exchange: SocketExchange, anew isUnprocessed: Bool, after pause: Int64 = 0) {
        exchange.prepareAnew(now: reactor.now + pause, isUnprocessed: isUnprocessed)
        deadlineMayHaveChanged(exchange)
        if pause > 0 { return self.pause(exchange, for: pause) }
        if exchange.admission == .permit { begin(exchange) } else { place(exchange, isReturned: true) }
    }

    /// Delays an exchange before it asks for a connection again.
    private func pause(_ exchange: SocketExchange, for time: Int64) {
        let next = giveUpPlace(exchange)
        let pause = LoopTimer { [unowned self, unowned exchange] in
            exchange.state = .waiting
            place(exchange, isReturned: true)
        }
        exchange.state = .pausing(pause)
        reactor.schedule(pause, at: reactor.now + time)
        admit(next)
    }
}
#endif
