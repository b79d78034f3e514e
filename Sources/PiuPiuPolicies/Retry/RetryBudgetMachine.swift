/// The logic of a ``RetryBudget``: a token bucket filled by calls and by time.
///
/// It holds at most the tokens of 1,000 calls and of ten seconds: a quiet hour does not pay for a storm. Tokens of calls are
/// taken first, because those of time come back by themselves.
struct RetryBudgetMachine {
    private let ratio: Double
    private let perSecond: Double
    /// The maximum number of tokens from calls: those of 1,000 calls, but at least ten.
    private let capacity: Double
    /// The maximum number of tokens from time: those of ten seconds, but at least one.
    private let reserveCapacity: Double
    /// The tokens from time; initially those of one second.
    private var reserve: Double
    /// The tokens from calls.
    private var earned = 0.0
    private var refilledAt: ContinuousClock.Instant?

    init(ratio: Double, perSecond: Double) {
        self.ratio = Self.limited(ratio, to: 1000)
        self.perSecond = Self.limited(perSecond, to: 1e6)
        // There is room for a whole token, so that a rate below one per second still has an effect.
        reserveCapacity = self.perSecond > 0 ? max(1, self.perSecond * 10) : 0
        reserve = min(reserveCapacity, max(1, self.perSecond))
        capacity = max(10, self.ratio * 1000)
    }

    /// Slightly less than one, because ten times 0.1 is less than one, too.
    private static let token = 1 - 1e-6

    /// Limits a parameter that may be any number, including `nan` and infinity.
    private static func limited(_ value: Double, to limit: Double) -> Double {
        value > 0 ? min(value, limit) : 0
    }

    /// Records a call.
    mutating func deposit() {
        earned = min(earned + ratio, capacity)
    }

    /// Takes a token; returns `false` if there is none.
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
