#if os(Linux)
/// Whether an event loop takes exchanges, and the callers that wait for its end.
///
///     running ── begin ──▶ draining ── end ──▶ stopped
package struct LoopShutdown {
    /// Whether the loop takes exchanges.
    package private(set) var isRunning = true
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Refuses exchanges from now on.
    package mutating func begin(_ waiter: CheckedContinuation<Void, Never>? = nil) {
        isRunning = false
        if let waiter { waiters.append(waiter) }
    }

    /// Resumes the callers that wait for the end.
    package mutating func end() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }
}
#endif
