/// The time to wait before a request is sent again: it doubles with each retry, and is random.
///
/// Before retry number *n*, counted from 0, the limit is ``base`` × 2ⁿ, at most ``maximum``. With ``Jitter/full``, the time is
/// random between zero and the limit, so that clients that failed together do not return together.
public struct Backoff: Sendable, Hashable {
    /// How random the time is.
    public enum Jitter: Sendable, Hashable {
        /// Any time from zero to the limit, all equally likely.
        case full
        /// Always the limit, which makes a test predictable.
        case none
    }

    /// The longest duration that is used, about thirty years; a clock cannot represent a much longer one.
    static let longest = Duration.seconds(1_000_000_000)

    /// The limit before the first retry; 0.25 seconds by default.
    ///
    /// A negative duration counts as zero.
    public var base: Duration
    /// The longest time to wait; 20 seconds by default.
    ///
    /// A negative duration counts as zero.
    public var maximum: Duration
    /// How random the time is; ``Jitter/full`` by default.
    public var jitter: Jitter

    /// Creates a backoff.
    ///
    /// - Parameters:
    ///   - base: The limit before the first retry.
    ///   - maximum: The longest time to wait.
    ///   - jitter: How random the time is.
    public init(
        base: Duration = .milliseconds(250),
        maximum: Duration = .seconds(20),
        jitter: Jitter = .full
    ) {
        self.base = base
        self.maximum = maximum
        self.jitter = jitter
    }

    /// Returns the time to wait before a retry, counted from 0, for a random number from 0 to 1; never negative.
    func delay(retry: Int, fraction: Double) -> Duration {
        let limit = limit(retry: retry)
        guard jitter == .full else { return limit }
        return min(limit, .seconds(limit / .seconds(1) * min(1, max(0, fraction))))
    }

    /// Returns the longest time to wait before a retry.
    private func limit(retry: Int) -> Duration {
        let most = Self.clamped(maximum)
        var limit = min(Self.clamped(base), most)
        guard limit > .zero else { return .zero }
        var doublings = retry
        while doublings > 0, limit < most {
            limit = min(limit * 2, most)
            doublings -= 1
        }
        return limit
    }

    /// Limits a duration so that it can be added to any instant of a clock.
    static func clamped(_ duration: Duration) -> Duration {
        min(max(.zero, duration), longest)
    }
}
