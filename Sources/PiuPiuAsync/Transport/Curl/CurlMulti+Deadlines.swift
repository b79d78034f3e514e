#if os(Linux)
// The time limits of exchanges.
extension CurlMulti {
    /// Notes that an exchange entered a phase with another time limit.
    func deadlineMayHaveChanged(_ exchange: CurlExchange) {
        // A later deadline is noticed when the earlier one comes, so that most exchanges enter the heap once.
        guard let deadline = exchange.timeline.deadline else { return }
        if exchange.heapIndex == nil || deadline.at < exchange.dueAt { deadlines.schedule(exchange, at: deadline.at) }
    }

    /// Ends what is late.
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

    /// Whether the system moved bytes of an exchange since libcurl last did: it sends for a while what libcurl gave it, and
    /// libcurl tells of no line of a head before its end.
    private func hasMoved(_ exchange: CurlExchange) -> Bool {
        guard let connection = exchange.connection, let traffic = poller.traffic(of: connection, now: now) else {
            return false
        }
        return exchange.timeline.moved(traffic, now: now)
    }

    /// Ends an exchange whose time is up.
    func finishLate(_ exchange: CurlExchange, _ phase: TimeoutPhase) {
        // Only the rest of the request is missing, for which the server did not wait.
        if exchange.hasWholeResponse { return finish(exchange, CurlOutcome.outcome(of: exchange, code: 0)) }
        finish(exchange, .failure(CurlOutcome.failure(of: exchange, code: .timeout(phase), description: nil)))
    }
}
#endif
