#if os(Linux)
import PiuPiuEngine

// The time limits of exchanges.
extension SocketEngine {
    /// Reschedules an exchange after it entered a phase with a different time limit.
    func deadlineMayHaveChanged(_ exchange: SocketExchange) {
        // A later deadline is applied when the earlier one fires, so most exchanges enter the heap once.
        guard let deadline = exchange.timeline.deadline else { return }
        if exchange.heapIndex == nil || deadline.at < exchange.dueAt { deadlines.schedule(exchange, at: deadline.at) }
    }

    /// Ends exchanges whose deadline has passed.
    func expire() {
        while let exchange = deadlines.first, exchange.dueAt <= reactor.now {
            guard let deadline = exchange.timeline.deadline else {
                deadlines.remove(exchange)
                continue
            }
            if deadline.at > reactor.now {
                deadlines.schedule(exchange, at: deadline.at)
            } else if deadline.phase == .idle, hasMoved(exchange), let next = exchange.timeline.deadline?.at {
                deadlines.schedule(exchange, at: next)
            } else {
                deadlines.remove(exchange)
                finishLate(exchange, deadline.phase)
            }
        }
    }

    /// Whether the system moved bytes of an exchange that were handed to it before.
    private func hasMoved(_ exchange: SocketExchange) -> Bool {
        // On a shared connection, the system counts what is for others: there, each frame of the stream is noted.
        guard case .busy(let connection) = exchange.state, !connection.http.isShared,
            let traffic = SocketTraffic(of: connection.http.channel.descriptor)
        else { return false }
        return exchange.timeline.moved(ConnectionTraffic(traffic, now: reactor.now), now: reactor.now)
    }

    /// Ends an exchange whose time limit is reached.
    func finishLate(_ exchange: SocketExchange, _ phase: TimeoutPhase) {
        // Only the rest of the request is missing, and the server did not wait for it, or only what nobody wants.
        if exchange.isAnsweredEarly, case .busy(let connection) = exchange.state {
            return connection.http.stopSending(exchange)
        }
        if exchange.isBodyUnwanted {
            exchange.body.removeAll()
            return finish(exchange, exchange.responseOutcome)
        }
        finish(exchange, .failure(exchange.failure(ofLimit: phase)))
    }
}
#endif
