import PiuPiuAsync

/// The states of an exchange with a mock: a pure value.
///
///     new ── begin ──▶ asked ── give head (streams only) ──▶ answering
///      └────────────────┴──────────── end ───────────────────────┴──▶ ended
///
/// There is one end, whoever comes first with it: the answer, an error, a time limit, a cancel. What is returned as an
/// action is performed by the caller, outside of any lock.
struct MockExchangeState<Waiter: Sendable>: Sendable {
    private enum Phase: Sendable {
        case new
        case asked(Waiter)
        case answering
        case ended
    }

    enum EndAction: Sendable {
        /// Nobody waits yet.
        case tellNobody
        /// Whoever waits for the response is told.
        case tell(Waiter)
        /// Whoever reads the body is told.
        case endBody
    }

    private var phase = Phase.new

    /// Whether everything after is in vain.
    var isEnded: Bool { if case .ended = phase { true } else { false } }

    /// Somebody waits for the response.
    ///
    /// - Returns: `false` where it was cancelled before.
    mutating func begin(_ waiter: Waiter) -> Bool {
        guard case .new = phase else { return false }
        phase = .asked(waiter)
        return true
    }

    /// The head is there, and the body is to follow.
    ///
    /// - Returns: Who waits for it; `nil` after the end.
    mutating func giveHead() -> Waiter? {
        guard case .asked(let waiter) = phase else { return nil }
        phase = .answering
        return waiter
    }

    /// It is over.
    ///
    /// - Returns: Who is to be told; `nil` where it was over before.
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
