/// The logic of a ``RetryBudget``: a token bucket that calls and time fill.
///
/// It holds at most what 1,000 calls and ten seconds add: a quiet hour does not pay for a storm. Tokens of calls are taken
/// first, because those of time come back by themselves.
struct RetryBudgetMachine {
    private let ratio: Double
    private let perSecond: Double
    /// The most tokens from calls: those of 1,000 calls, but at least ten.
    private let capacity: Double
    /// The most tokens from time: those of ten seconds, but at least one.
    private let reserveCapacity: Double
    /// Tokens from time; at first those of one second.
    private var reserve: Double
    /// Tokens from calls.
    private var earned = 0.0
    private var refilledAt: ContinuousClock.Instant?

    init(ratio: Double, perSecond: Double) {
        self.ratio = Self.limited(ratio, to: 1000)
        self.perSecond = Self.limited(perSecond, to: 1e6)
        // A whole token fits, so that a rate below one a second is not a rate of none.
        reserveCapacity = self.perSecond > 0 ? max(1, self.perSecond * 10) : 0
        reserve = min(reserveCapacity, max(1, self.perSecond))
        capacity = max(10, self.ratio * 1000)
    }

    /// Just less than one, because ten times 0.1 is less than one too.
    private static let token = 1 - 1e-6

    /// A parameter that may be any number, including `nan` and infinity.
    private static func limited(_ value: Double, to limit: Double) -> Double {
        value > 0 ? min(value, limit) : 0
    }

    /// Records a call.
    mutating func deposit() {
        earned = min(earned + ratio, capacity)
    }

    /// Takes a token.
    ///
    /// - Returns: `false` if there is none.
    mutating func withdraw(at now: ContinuousClock.Instant) -> Bool {
        refill(at: now)
        if earned >= Self.token {
            earned = max(0, earned - 1)
        } else if reserve >= Self.token {
            reserve = max(0, reserve - 1)
        } else {
            return false
        }
        return true
    }

    private mutating func refill(at now: ContinuousClock.Instant) {
        guard let last = refilledAt else {
            refilledAt = now
            return
        }
        guard last < now else { return }
        refilledAt = now
        let seconds = last.duration(to: now) / .seconds(1)
        reserve = min(reserve + seconds * perSecond, reserveCapacity)
    }
}
