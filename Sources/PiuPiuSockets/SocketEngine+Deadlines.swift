#if os(Linux)
import PiuPiuEngine

// The time limits of exchanges.
extension SocketEngine {
    /// Reschedules an exchange after it entered a phase with a different time limit.
    func deadlineMayHaveChanged(_ exchange: SocketExchange) {
        // A later deadline is applied when the earlier one fires, so most exchanges enter the heap once.
        guard let time = exchange.timeline.checkAt else { return }
        if exchange.heapIndex == nil || time < exchange.dueAt { deadlines.schedule(exchange, at: time) }
    }

    /// Ends exchanges whose deadline has passed.
    func expire() {
        while let exchange = deadlines.first, exchange.dueAt <= reactor.now {
            switch exchange.timeline.check(now: reactor.now, { finding(on: exchange) }) {
            case .wait(let time): deadlines.schedule(exchange, at: time)
            case .unlimited: deadlines.remove(exchange)
            case .end(let phase):
                deadlines.remove(exchange)
                finishLate(exchange, phase)
            }
        }
    }

    /// The activity that a time limit check takes into account.
    private func finding(on exchange: SocketExchange) -> ExchangeTimeline.Finding {
        switch exchange.state {
        case .opening(let opener): opener.movedAt.map { .handshake(movedAt: $0) } ?? .nothing
        // On a shared connection, the system's counters include other exchanges. There, the exchange records each of its
        // frames.
        case .busy(let connection) where !connection.http.isShared:
            SocketTraffic(of: connection.http.channel.descriptor)
                .map { .traffic(ConnectionTraffic($0, now: reactor.now)) } ?? .nothing
        case .busy, .waiting, .preparing, .pausing, .finished: .nothing
        }
    }

    /// Ends an exchange that has reached a time limit.
    func finishLate(_ exchange: SocketExchange, _ phase: TimeoutPhase) {
        // Only the rest of the request is missing, which the server did not wait for, or the rest of an unwanted body.
        if exchange.isAnsweredEarly, case .busy(let connection) = exchange.state {
            return connection.http.stopSending(exchange)
        }
        if exchange.isBodyUnwanted {
            exchange.body.removeAll()
            return finish(exchange, exchange.responseOutcome)
        }
        switch exchange.state {
        case .busy(let connection): connection.http.noteLate(exchange)
        case .opening(let opener): if case .address = opener.step { forgetAddresses(for: exchange) }
        case .waiting, .preparing, .pausing, .finished: break
        }
        finish(exchange, .failure(exchange.timeoutFailure(phase)))
    }
}
#endif
