/// How fast bytes move, averaged so that what happened some seconds ago counts for little: a pure value.
struct ThroughputEstimator {
    /// After this time, what was before counts for a third.
    private static let memory = 3.0

    private var lastTime: Duration?
    private var lastCount: Int64 = 0
    private(set) var bytesPerSecond: Double?

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
        bytesPerSecond = bytesPerSecond.map { $0 + weight * (current - $0) } ?? current
        self.lastTime = time
        lastCount = count
    }
}
