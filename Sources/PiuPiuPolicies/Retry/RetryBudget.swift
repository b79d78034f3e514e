/// A limit on the extra requests of policies, so that they do not make an outage worse.
///
/// Each call adds a fraction of a token, and each second adds some. An extra request (a retry or a hedge) takes one token;
/// without a token it is not sent. The budget keeps unused tokens up to those of 1,000 calls and of ten seconds. Share one
/// budget among all policies of a dispatcher that send requests again.
///
/// ```swift
/// let budget = RetryBudget(ratio: 0.1, perSecond: 5)
/// let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(budget: budget), Hedging(budget: budget)])
/// ```
///
/// The defaults, 20 % of the calls and 10 per second, are those of tower and Finagle.
public final class RetryBudget: Sendable {
    private struct State {
        var machine: RetryBudgetMachine
        /// Whether a ``RetryPolicy`` records the calls.
        var hasRetryPolicy = false
    }

    private let state: Locked<State>

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - ratio: The number of extra requests allowed per call, from 0 to 1,000.
    ///   - perSecond: The number of extra requests allowed per second, whatever the number of calls, so that a client with few
    ///     calls can retry, too.
    public init(ratio: Double = 0.2, perSecond: Double = 10) {
        state = Locked(State(machine: RetryBudgetMachine(ratio: ratio, perSecond: perSecond)))
    }

    /// Records a call of a ``RetryPolicy``.
    package func deposit() {
        state.withLock { state in
            state.hasRetryPolicy = true
            state.machine.deposit()
        }
    }

    /// Records a call of another policy, unless a ``RetryPolicy`` with the same budget records the calls.
    package func depositUnlessRetried() {
        state.withLock { if !$0.hasRetryPolicy { $0.machine.deposit() } }
    }

    /// Takes a token for an extra request; `false` if the budget is used up, and the request must not be sent.
    package func withdraw(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.machine.withdraw(at: now) }
    }
}
