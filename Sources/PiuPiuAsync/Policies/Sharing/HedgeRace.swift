/// The logic of ``Hedging`` within a call: two attempts, of which one gives the result.
///
///     waiting ── first ends ──────────────────────────────▶ over: first
///        │
///        └─ hedge ─▶ racing ── either succeeds ───────────▶ over: that one
///                       ├─ first fails ─▶ hedge left ─ ok ▶ over: hedge
///                       │                     └─ failed ──▶ over: first
///                       └─ hedge fails ─▶ first left ─────▶ over: first
///
/// - Before there is a hedge, the first attempt's outcome is the result, good or bad: a quick failure is not hedged.
/// - If both fail, the result is the first attempt's, as without hedging; or the hedge's, if the first outcome is not kept.
/// - The owner cancels the other attempt, and discards the outcome that lost. What arrives later is ignored.
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
        /// The outcome of the other attempt, if it had one, to be discarded.
        var discarded: Outcome?
    }

    private var state = State.waiting

    /// Whether a second attempt was made.
    private(set) var isHedged = false

    /// Begins the second attempt, if the first is still under way and alone.
    ///
    /// - Parameter isAllowed: Takes what the attempt costs from the budget; called at most once.
    /// - Returns: Whether to send the second attempt.
    mutating func hedge(if isAllowed: () -> Bool) -> Bool {
        guard case .waiting = state, !isHedged, isAllowed() else { return false }
        state = .racing
        isHedged = true
        return true
    }

    /// Ends an attempt.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - outcome: What it ended with.
    ///   - isGood: Whether the outcome is worth more than waiting for the other attempt.
    ///   - isKept: Whether the outcome can be kept while the other attempt is under way.
    /// - Returns: The end of the call; `nil` to wait for the other attempt.
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
