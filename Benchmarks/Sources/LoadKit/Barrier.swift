/// Lets tasks go on together when the last of them has arrived.
actor Barrier {
    private var missing: Int
    private var waiting: [CheckedContinuation<ContinuousClock.Instant, Never>] = []
    private let last: @Sendable () -> Void

    // `last` runs when all have arrived, before any goes on.
    init(_ count: Int, last: @escaping @Sendable () -> Void = {}) {
        missing = count
        self.last = last
    }

    /// Waits for the others, and returns when the last one arrived.
    @discardableResult
    func pass() async -> ContinuousClock.Instant {
        missing -= 1
        guard missing == 0 else { return await withCheckedContinuation { waiting.append($0) } }
        last()
        let now = ContinuousClock.now
        waiting.forEach { $0.resume(returning: now) }
        waiting = []
        return now
    }
}
