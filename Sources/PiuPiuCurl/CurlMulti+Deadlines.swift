#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine

// The time limits of exchanges.
extension CurlMulti {
    /// Reschedules an exchange after it entered a phase with a different time limit.
    func deadlineMayHaveChanged(_ exchange: CurlExchange) {
        // A later deadline is applied when the earlier one fires, so most exchanges enter the heap once.
        guard let time = exchange.timeline.checkAt else { return }
        if exchange.heapIndex == nil || time < exchange.dueAt { deadlines.schedule(exchange, at: time) }
    }

    /// Ends exchanges whose deadline has passed.
    func expire() {
        while let exchange = deadlines.first, exchange.dueAt <= now {
            switch exchange.timeline.check(now: now, { finding(on: exchange) }) {
            case .wait(let time): deadlines.schedule(exchange, at: time)
            case .unlimited: deadlines.remove(exchange)
            case .end(let phase):
                deadlines.remove(exchange)
                finishLate(exchange, phase)
            }
        }
    }

    /// Returns the finding of an exchange's check.
    ///
    /// The system continues to send the bytes that libcurl gave it, and libcurl reports no line of a head before its end.
    private func finding(on exchange: CurlExchange) -> ExchangeTimeline.Finding {
        exchange.connection.flatMap { poller.traffic(of: $0, now: now) }.map { .traffic($0) } ?? .nothing
    }

    /// Ends an exchange whose time limit is reached.
    func finishLate(_ exchange: CurlExchange, _ phase: TimeoutPhase) {
        // Only the rest of the request is missing, for which the server did not wait, or only an unwanted body.
        if exchange.hasWholeResponse || exchange.isBodyUnwanted {
            if exchange.isBodyUnwanted, !exchange.isResponseComplete { exchange.body.removeAll() }
            return finish(exchange, CurlOutcome.outcome(of: exchange, code: 0))
        }
        finish(exchange, .failure(CurlOutcome.failure(of: exchange, code: .timeout(phase), description: nil)))
    }
}
#endif
