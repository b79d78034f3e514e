/// Tells the time and waits, with any clock.
struct TransferClock: Sendable {
    /// The clock itself.
    let base: any Clock<Duration>
    /// The time since it was created.
    let now: @Sendable () -> Duration
    /// Waits; ends early, with an error, where the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    /// Waits until so long after it was created; ends early, with an error, where the task is cancelled.
    let sleepUntil: @Sendable (Duration) async throws -> Void
    private let epoch = ContinuousClock.now

    init<C: Clock<Duration>>(_ clock: C) {
        base = clock
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The present, in the type in which deadlines are passed around.
    var instant: ContinuousClock.Instant { epoch.advanced(by: now()) }
}

/// A transport with a time of its own, which is then also that of the dispatcher above it.
protocol ClockedTransport: HTTPTransport {
    /// The time.
    var clock: TransferClock { get }
}
