/// A point in time of an observed call.
///
/// It is a number of nanoseconds, because the layout of `ContinuousClock.Instant` is known only at run time: objects that store
/// an instant would be laid out at run time, too, and each copy of one would be a function call.
struct ObservationTime: Sendable {
    /// One point in time as an instant and as a reading: the closest of several pairs.
    private enum Epoch {
        static let (instant, reading): (ContinuousClock.Instant, Int64) = {
            var best = (instant: ContinuousClock.now, reading: Int64(0), distance: Int64.max)
            for _ in 0..<10 {
                let before = ObservationTime.reading
                let instant = ContinuousClock.now
                let distance = ObservationTime.reading - before
                if distance < best.distance { best = (instant, before + distance / 2, distance) }
            }
            return (best.instant, best.reading)
        }()
    }

    private let nanoseconds: Int64

    /// Returns the present of a clock; `nil` for real time.
    @inline(__always)
    static func now(_ clock: ObservationClock?) -> ObservationTime {
        guard let clock else { return ObservationTime(nanoseconds: reading) }
        return clock.now
    }

    /// A reading of the clock that `ContinuousClock` reads.
    private static var reading: Int64 {
        #if os(Linux)
        let clock = CLOCK_BOOTTIME
        #else
        let clock = CLOCK_MONOTONIC_RAW
        #endif
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates the time of an instant.
    init(_ instant: ContinuousClock.Instant) {
        let since = Epoch.instant.duration(to: instant)
        let nanoseconds = since < .zero ? -(.zero - since).clampedNanoseconds : since.clampedNanoseconds
        let (sum, isTooFar) = Epoch.reading.addingReportingOverflow(nanoseconds)
        self.nanoseconds = isTooFar ? (nanoseconds < 0 ? .min : .max) : sum
    }

    /// The time as an instant.
    var instant: ContinuousClock.Instant {
        Epoch.instant.advanced(by: ObservationTime(nanoseconds: Epoch.reading).duration(to: self))
    }

    /// Returns the time from this point to another.
    func duration(to other: ObservationTime) -> Duration {
        let (difference, isTooLong) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard isTooLong else { return .nanoseconds(difference) }
        return .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }
}

extension Duration {
    /// The duration in milliseconds with three decimal places, such as `12.345`; a negative one counts as zero.
    package var milliseconds: String {
        let microseconds = clampedNanoseconds / 1000
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }
}
