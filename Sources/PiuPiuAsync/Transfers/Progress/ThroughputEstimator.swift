/// Estimates throughput as a moving average over the last few seconds: a pure value.
struct ThroughputEstimator {
    /// The time constant in seconds, after which earlier samples count for about a third.
    private static let memory = 3.0

    private var lastTime: Duration?
    private var lastCount: Int64 = 0
    private var average = 0.0
    /// The weight of the samples in the average; the rest is the initial zero.
    private var share = 0.0

    /// The average; `nil` before the first sample.
    var bytesPerSecond: Double? { share > 0 ? average / share : nil }

    /// Adds a sample: the number of bytes since the start, and the time on a monotonic clock.
    mutating func add(_ count: Int64, at time: Duration) {
        guard let lastTime else {
            self.lastTime = time
            lastCount = count
            return
        }
        let seconds = (time - lastTime) / .seconds(1)
        // Over shorter times, the size of a buffer would look like speed.
        guard seconds >= 0.02 else { return }
        let current = Double(max(0, count - lastCount)) / seconds
        let weight = 1 - exp(-seconds / Self.memory)
        // Without the share, the first sample would count as if the speed had always been that. It is often the least typical
        // sample: the system's buffers accept the beginning of an upload at once.
        average += weight * (current - average)
        share += weight * (1 - share)
        self.lastTime = time
        lastCount = count
    }
}
