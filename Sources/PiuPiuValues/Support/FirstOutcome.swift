/// Waits for the first of several outcomes, which any task can provide.
///
///     open ── value() ──▶ awaited ── conclude ──▶ concluded
///       └──────────── conclude ─────────────────────▲
///
/// Later outcomes are refused, and ``conclude(_:)`` returns `false` for them.
@usableFromInline
package final class FirstOutcome<Outcome: Sendable>: Sendable {
    // Inlinable, because unspecialized generic code from another module is slow.
    @usableFromInline
    enum State {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case concluded(Outcome)
        /// The outcome was delivered, and is not kept, because it may retain this object.
        case over
    }

    @usableFromInline
    let state = Locked(State.open)

    @inlinable
    package init() {}

    /// Provides an outcome.
    ///
    /// - Parameter outcome: The outcome.
    /// - Returns: Whether it is the first.
    @inlinable
    @discardableResult
    package func conclude(_ outcome: Outcome) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            switch state {
            case .open:
                state = .concluded(outcome)
                return (true, nil)
            case .awaited(let waiter):
                state = .over
                return (true, waiter)
            case .concluded, .over: return (false, nil)
            }
        }
        waiter?.resume(returning: outcome)
        return isFirst
    }

    /// Waits for the first outcome; must be called at most once.
    @inlinable
    package func value() async -> Outcome {
        defer { state.showOrder() }
        return await withCheckedContinuation { waiter in
            let outcome: Outcome? = state.withLock { state in
                if case .concluded(let outcome) = state {
                    state = .over
                    return outcome
                }
                state = .awaited(waiter)
                return nil
            }
            if let outcome { waiter.resume(returning: outcome) }
        }
    }
}
