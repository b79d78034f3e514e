/// Measures time with any clock, for a transport and its dispatcher.
///
/// A test transport provides one, so that its limits, its deadlines and the progress of its transfers follow a clock
/// that the test controls. See ``HTTPTransport``.
///
/// An ``instant`` is always a `ContinuousClock.Instant`. Instants of real time can be compared with each other and with
/// `ContinuousClock.now`. Instants of any other clock count from the creation of this value and cannot be compared: two values
/// for the same clock differ by a moment. `ManualClock` of PiuPiuTesting is the exception: its values share their instants.
public struct TransferClock: Sendable {
    /// The underlying clock.
    public let base: any Clock<Duration>
    /// Returns the time since the clock was created.
    package let now: @Sendable () -> Duration
    /// Real time.
    package static let real = TransferClock(ContinuousClock())

    /// Sleeps for a duration; ends early, with an error, if the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// Sleeps until a time since the clock was created; ends early, with an error, if the task is cancelled.
    package let sleepUntil: @Sendable (Duration) async throws -> Void
    /// The instant at which the time is zero.
    private let epoch: ContinuousClock.Instant

    /// Creates a clock for a transport.
    ///
    /// - Parameter clock: The clock to measure with.
    public init<C: Clock<Duration>>(_ clock: C) {
        let start = clock.now
        self.init(clock, since: start, at: start as? ContinuousClock.Instant ?? .now)
    }

    /// Creates a clock that measures from `start`, which is the instant `epoch`, so that several clocks can share instants.
    package init<C: Clock<Duration>>(_ clock: C, since start: C.Instant, at epoch: ContinuousClock.Instant) {
        base = clock
        self.epoch = epoch
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until a moment.
    ///
    /// - Parameter instant: The moment, in the type of ``TransportRequest/deadline``.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until instant: ContinuousClock.Instant) async throws {
        try await sleepUntil(epoch.duration(to: instant))
    }

    /// The current instant, in the type of ``TransportRequest/deadline``.
    public var instant: ContinuousClock.Instant { epoch.advanced(by: now()) }
}

extension TransferClock: Redacted {
    /// The clock's type.
    package var shown: KeyValuePairs<String, Any> { ["base": "\(type(of: base))"] }
}
