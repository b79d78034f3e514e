#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine

// The time limits of exchanges.
extension CurlMulti {
    /// Reschedules an exchange after it entered a phase with a different time limit.
    func deadlineMayHaveChanged(_ exchange: CurlExchange) {
        // A later deadline is applied when the earlier one fires, so most exchanges enter the heap once.
        guard let deadline = exchange.timeline.deadline else { return }
        if exchange.heapIndex == nil || deadline.at < exchange.dueAt { deadlines.schedule(exchange, at: deadline.at) }
    }

    /// Ends exchanges whose deadline has passed.
    func expire() {
        while let exchange = deadlines.first, exchange.dueAt <= now {
            guard let deadline = exchange.timeline.deadline else {
                deadlines.remove(exchange)
                continue
            }
            if deadline.at > now {
                deadlines.schedule(exchange, at: deadline.at)
            } else if deadline.phase == .idle, hasMoved(exchange), let next = exchange.timeline.deadline?.at {
                deadlines.schedule(exchange, at: next)
            } else {
                deadlines.remove(exchange)
                finishLate(exchange, deadline.phase)
            }
        }
    }

    /// Whether the system moved bytes of an exchange after libcurl last did.
    ///
    /// The system continues to send what libcurl gave it, and libcurl reports no line of a head before its end.
    private func hasMoved(_ exchange: CurlExchange) -> Bool {
        guard let connection = exchange.connection, let traffic = poller.traffic(of: connection, now: now) else {
            return false
        }
        return exchange.timeline.moved(traffic, now: now)
    }

    /// Ends an exchange whose time limit is reached.
    func finishLate(_ exchange: CurlExchange, _ phase: TimeoutPhase) {
        // Only the rest of the request is missing, and the server did not wait for it, or only what nobody wants.
        if exchange.hasWholeResponse || exchange.isBodyUnwanted {
            if exchange.isBodyUnwanted, !exchange.isResponseComplete { exchange.body.removeAll() }
            return finish(exchange, CurlOutcome.outcome(of: exchange, code: 0))
        }
        finish(exchange, .failure(CurlOutcome.failure(of: exchange, code: .timeout(phase), description: nil)))
    }
}
#endif
