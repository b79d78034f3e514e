/// The logic of ``Hedging`` across calls: when a call to a destination is slow.
///
/// Each destination has a window of latencies. There are at most 256 destinations; a further one replaces the one that
/// was used least recently.
struct HedgingMachine {
    /// The most destinations that are observed.
    static let capacity = 256
    /// The longest key; destinations with a longer one are not hedged.
    static let maximumKeyLength = 1024

    private struct Destination {
        var window = LatencyWindow()
        var lastUse: UInt64
    }

    private let delay: Hedging.Delay
    private var destinations: [String: Destination] = [:]
    /// Counts the uses, because the clock of a test may stand still.
    private var uses: UInt64 = 0

    init(delay: Hedging.Delay) {
        self.delay = delay
    }

    /// How many destinations are observed.
    var count: Int { destinations.count }

    /// Returns how long to wait for an answer before the second attempt.
    ///
    /// - Parameters:
    ///   - key: The destination.
    ///   - now: The present.
    /// - Returns: `nil` if there is no second attempt, because too little is known.
    mutating func delay(for key: String, at now: ContinuousClock.Instant) -> Duration? {
        switch delay.rule {
        case .fixed(let duration):
            return duration
        case .percentile(let fraction, let minimum, let maximum, let minimumSamples):
            let latency = destinations[key]?.window.percentile(fraction, minimumSamples: minimumSamples, at: now)
            return latency.map { max(minimum, min($0, maximum)) }
        }
    }

    /// Records how long the first attempt of a call took, or how long it had taken when the second one won.
    ///
    /// The second value is too low, but above the delay: the number of slow calls stays right, so the percentile doesn't
    /// shrink because slow attempts are given up.
    ///
    /// - Parameters:
    ///   - latency: The latency.
    ///   - key: The destination.
    ///   - now: The present.
    mutating func record(_ latency: Duration, for key: String, at now: ContinuousClock.Instant) {
        guard case .percentile = delay.rule, key.utf8.count <= Self.maximumKeyLength else { return }
        uses += 1
        if destinations[key] == nil, destinations.count >= Self.capacity,
            let idlest = destinations.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            destinations[idlest] = nil
        }
        destinations[key, default: Destination(lastUse: uses)].window.record(latency, at: now)
        destinations[key]?.lastUse = uses
    }
}
