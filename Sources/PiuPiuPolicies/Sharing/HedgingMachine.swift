/// The logic of ``Hedging`` across calls: when a call to a destination is slow.
///
/// Each destination has a window of latencies. There are at most 256 destinations; another one replaces the least recently
/// used.
struct HedgingMachine {
    /// The maximum number of observed destinations.
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

    /// The number of observed destinations.
    var count: Int { destinations.count }

    /// Returns how long to wait before the second attempt; `nil` if too few latencies are known for one.
    mutating func delay(for key: String, at now: ContinuousClock.Instant) -> Duration? {
        switch delay.rule {
        case .fixed(let duration):
            return duration
        case .percentile(let fraction, let minimum, let maximum, let minimumSamples):
            let latency = destinations[key]?.window.percentile(fraction, minimumSamples: minimumSamples, at: now)
            return latency.map { max(minimum, min($0, maximum)) }
        }
    }

    /// Records how long the first attempt of a call took, or how long it had run when the second one won.
    ///
    /// The second value is too low, but above the delay: the number of slow calls stays right, so the percentile doesn't shrink
    /// because slow attempts are given up.
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
