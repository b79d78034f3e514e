import PiuPiuAsync

/// The state machine of an exchange with a mock, a pure value.
///
///     new ── begin ──▶ asked ── give head (streams only) ──▶ answering
///      └────────────────┴──────────── end ───────────────────────┴──▶ ended
///
/// An exchange ends once, with the first of these events: the answer, an error, a time limit or cancellation. The caller
/// performs the returned actions outside any lock.
struct MockExchangeState<Waiter: Sendable>: Sendable {
    private enum Phase: Sendable {
        case new
        case asked(Waiter)
        case answering
        case ended
    }

    enum EndAction: Sendable {
        /// No task waits yet.
        case tellNobody
        /// Resume the continuation that waits for the response.
        case tell(Waiter)
        /// Finish the body for its reader.
        case endBody
    }

    private var phase = Phase.new

    /// Whether the exchange has ended.
    var isEnded: Bool { if case .ended = phase { true } else { false } }

    /// Registers the continuation that waits for the response, or returns `false` if the exchange was cancelled.
    mutating func begin(_ waiter: Waiter) -> Bool {
        guard case .new = phase else { return false }
        phase = .asked(waiter)
        return true
    }

    /// Records the delivery of the head, and returns the continuation to resume with it; `nil` after the end.
    mutating func giveHead() -> Waiter? {
        guard case .asked(let waiter) = phase else { return nil }
        phase = .answering
        return waiter
    }

    /// Ends the exchange, and returns the action to perform; `nil` if it has already ended.
    mutating func end() -> EndAction? {
        defer { phase = .ended }
        return switch phase {
        case .new: .tellNobody
        case .asked(let waiter): .tell(waiter)
        case .answering: .endBody
        case .ended: nil
        }
    }
}
