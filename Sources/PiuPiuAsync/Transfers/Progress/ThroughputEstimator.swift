/// How fast bytes move, averaged so that what happened some seconds ago counts for little: a pure value.
struct ThroughputEstimator {
    /// After this time, what was before counts for a third.
    private static let memory = 3.0

    private var lastTime: Duration?
    private var lastCount: Int64 = 0
    private var average = 0.0
    /// How much of the average is from samples; the rest is the zero it began with.
    private var share = 0.0

    /// The average; `nil` before there is one.
    var bytesPerSecond: Double? { share > 0 ? average / share : nil }

    /// Takes in how many bytes have moved so far.
    ///
    /// - Parameters:
    ///   - count: All bytes since the start.
    ///   - time: When, on a clock that does not go backwards.
    mutating func add(_ count: Int64, at time: Duration) {
        guard let lastTime else {
            self.lastTime = time
            lastCount = count
            return
        }
        let seconds = (time - lastTime) / .seconds(1)
        // Over shorter times, the size of a buffer would be taken for speed.
        guard seconds >= 0.02 else { return }
        let current = Double(max(0, count - lastCount)) / seconds
        let weight = 1 - exp(-seconds / Self.memory)
        // Without the share, the first sample would count as if it had been so for ever, and it is often the oddest one:
        // the system's buffers take the beginning of an upload at once.
        average += weight * (current - average)
        share += weight * (1 - share)
        self.lastTime = time
        lastCount = count
    }
}
