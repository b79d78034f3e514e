/// The logic of ``Hedging`` within a call: two attempts, one of which provides the result.
///
///     waiting ── first ends ──────────────────────────────▶ over: first
///        │
///        └─ hedge ─▶ racing ── either succeeds ───────────▶ over: that one
///                       ├─ first fails ─▶ hedge left ─ ok ▶ over: hedge
///                       │                     └─ failed ──▶ over: first
///                       └─ hedge fails ─▶ first left ─────▶ over: first
///
/// - Before there is a hedge, the outcome of the first attempt is the result, good or bad: a quick failure is not hedged.
/// - If both fail, the result is the first attempt's, as without hedging; or the hedge's, if the first outcome was not kept.
/// - The owner cancels the other attempt, and discards the losing outcome. Later outcomes are ignored.
struct HedgeRace<Outcome> {
    /// One of the two attempts.
    enum Attempt {
        case first, hedge
    }

    private enum State {
        case waiting
        case racing
        /// `first` is `nil` if the outcome is not kept.
        case hedgeLeft(first: Outcome?)
        case firstLeft
        case over
    }

    /// The end of the call.
    struct Finish {
        /// The attempt that won.
        let winner: Attempt
        let outcome: Outcome
        /// The outcome of the other attempt to discard, if it had one.
        var discarded: Outcome?
    }

    private var state = State.waiting

    /// Whether a second attempt was made.
    private(set) var isHedged = false

    /// Starts the second attempt if the first is still running, alone, and the budget allows it; returns whether to send it.
    ///
    /// The closure takes the cost of the attempt from the budget, and is called at most once.
    mutating func hedge(if isAllowed: () -> Bool) -> Bool {
        guard case .waiting = state, !isHedged, isAllowed() else { return false }
        state = .racing
        isHedged = true
        return true
    }

    /// Ends an attempt; returns the end of the call, or `nil` to wait for the other attempt.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - outcome: The outcome of the attempt.
    ///   - isGood: Whether the outcome is better than waiting for the other attempt.
    ///   - isKept: Whether the outcome can be kept while the other attempt is running.
    /// - Returns: The end of the call.
    mutating func end(_ attempt: Attempt, with outcome: Outcome, isGood: Bool, isKept: Bool = true) -> Finish? {
        switch (state, attempt) {
        case (.waiting, .first), (.firstLeft, .first):
            return finish(attempt, outcome)
        case (.racing, _) where isGood:
            return finish(attempt, outcome)
        case (.racing, .first):
            state = .hedgeLeft(first: isKept ? outcome : nil)
            return nil
        case (.racing, .hedge):
            state = .firstLeft
            return nil
        case (.hedgeLeft(let first?), .hedge):
            return isGood ? finish(.hedge, outcome, discarding: first) : finish(.first, first, discarding: outcome)
        case (.hedgeLeft(nil), .hedge):
            return finish(.hedge, outcome)
        case (.waiting, .hedge), (.firstLeft, .hedge), (.hedgeLeft, .first), (.over, _):
            return nil
        }
    }

    private mutating func finish(_ winner: Attempt, _ outcome: Outcome, discarding other: Outcome? = nil) -> Finish {
        state = .over
        return Finish(winner: winner, outcome: outcome, discarded: other)
    }
}
