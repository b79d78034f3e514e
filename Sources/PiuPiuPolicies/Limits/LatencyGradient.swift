/// Estimates how many requests a server can process at once, from the latency of its responses.
///
/// The estimate divides requests into windows. If the mean latency of a window is more than ``tolerance`` times that of an idle
/// server, requests queue in the server and the limit shrinks; otherwise it grows by its square root, as in the Gradient limit
/// of Netflix's concurrency-limits. In equilibrium, the limit is twice the number of requests that the server processes.
///
/// The latency of an idle server is the lowest mean observed. It is measured again every ``windowsBetweenProbes`` windows,
/// because servers become slower: a third of the limit applies for two windows, which empties the server's queue, and the mean
/// of the second one counts.
struct LatencyGradient {
    /// The ratio of the tolerated latency to that of an idle server.
    static var tolerance: Double { 2 }
    /// The weight of the new estimate after each window.
    static var smoothing: Double { 0.2 }
    /// The factor for the limit after a window in which the server reported an overload.
    static var backoff: Double { 0.9 }
    static var windowsBetweenProbes: Int { 50 }
    /// The divisor of the limit during a probe.
    ///
    /// It is more than ``tolerance``: in equilibrium, the latency is slightly above the tolerated one, and the rest of the
    /// queue would make the next baseline higher than the last.
    static var probeDivisor: Double { 3 }

    private let range: ClosedRange<Double>
    private var estimate: Double
    /// The latency of an idle server in seconds; `nil` if it is not known.
    private var baseline: Double?
    /// The number of windows since the last probe; beyond ``windowsBetweenProbes`` a probe is in progress.
    private var windows = 0
    private var count = 0
    private var sum = 0.0
    private var highestInFlight = 0
    private var isOverloaded = false

    /// Creates an estimate with a range from 1 to at most 1,000,000.
    init(_ range: ClosedRange<Int>, initial: Int) {
        let lowest = Double(min(max(1, range.lowerBound), 1_000_000))
        let highest = Double(min(max(1, range.upperBound), 1_000_000))
        self.range = lowest...highest
        estimate = min(max(Double(initial), lowest), highest)
    }

    private var isProbing: Bool { windows >= Self.windowsBetweenProbes }

    /// The limit.
    var limit: Int { Int(max(range.lowerBound, isProbing ? estimate / Self.probeDivisor : estimate)) }

    /// The number of requests in a window: enough for a mean, and as many as are in flight.
    ///
    /// The first window of a probe lasts until all requests that began before it have ended, because they waited in the queue
    /// that the probe empties.
    var windowSize: Int { max(10, windows == Self.windowsBetweenProbes ? Int(estimate) : limit) }

    /// Records the latency of a response, and the number of requests in flight when it arrived.
    ///
    /// `isOverloaded` means that the server is overloaded, whatever the latency.
    mutating func record(_ latency: Duration, inFlight: Int, isOverloaded: Bool) {
        count += 1
        sum += max(1e-9, latency / .seconds(1))
        highestInFlight = max(highestInFlight, inFlight)
        self.isOverloaded = self.isOverloaded || isOverloaded
        guard count >= windowSize else { return }
        close(mean: sum / Double(count))
        count = 0
        sum = 0
        highestInFlight = 0
        self.isOverloaded = false
    }

    private mutating func close(mean: Double) {
        windows += 1
        if isOverloaded {
            estimate = max(range.lowerBound, estimate * Self.backoff)
            return
        }
        guard windows <= Self.windowsBetweenProbes else {
            // The first window of a probe empties the server's queue; the second one counts.
            if windows >= Self.windowsBetweenProbes + 2 {
                windows = 0
                baseline = mean
            }
            return
        }
        let idle = min(baseline ?? mean, mean)
        baseline = idle
        // An unused limit says nothing about a higher one.
        guard Double(highestInFlight) >= estimate / 2 else { return }
        let gradient = min(1, max(0.5, Self.tolerance * idle / mean))
        let target = estimate * gradient + estimate.squareRoot()
        estimate += (target - estimate) * Self.smoothing
        estimate = min(max(estimate, range.lowerBound), range.upperBound)
    }
}
