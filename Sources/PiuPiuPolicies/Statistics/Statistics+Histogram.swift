extension Statistics {
    /// The number of times between fixed bounds.
    ///
    /// The bounds are those that OpenTelemetry's conventions recommend for the durations of HTTP requests.
    public struct Histogram: Sendable, Hashable {
        /// The bounds in ascending order, from 5 ms to 10 s; a time that equals a bound counts as below it.
        public static let bounds: [Duration] = nanoseconds.map { .nanoseconds($0) }

        private static let nanoseconds = milliseconds.map { Int64($0 * 1_000_000) }
        private static let milliseconds = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000]

        /// The number of times up to each bound and above the previous one; the last element is the number above all bounds.
        public private(set) var counts = [Int](repeating: 0, count: nanoseconds.count + 1)
        private var total: Int64 = 0

        /// The number of times.
        public var count: Int { counts.reduce(0, +) }
        /// The sum of the times.
        public var sum: Duration { .nanoseconds(total) }
        /// The mean of the times; `nil` if there are none.
        public var mean: Duration? { count == 0 ? nil : sum / count }

        /// Adds a time; a negative one counts as zero.
        mutating func add(_ time: Duration) {
            let time = time.clampedNanoseconds
            counts[Self.nanoseconds.firstIndex { time <= $0 } ?? Self.nanoseconds.count] += 1
            addToSum(time)
        }

        /// Adds the times of another histogram.
        mutating func add(_ other: Histogram) {
            for (index, count) in other.counts.enumerated() { counts[index] += count }
            addToSum(other.total)
        }

        /// Estimates the time that a fraction of all times does not exceed.
        ///
        /// The estimate assumes that times are spread evenly between two bounds, as Prometheus' `histogram_quantile` does. It
        /// is therefore no more exact than the bounds, and may exceed every time: if the only time is 118 ms, between the
        /// bounds 100 ms and 250 ms, the estimate of the median is 175 ms.
        ///
        /// - Parameter part: The fraction, from 0 to 1; 0.95 for the 95th percentile.
        /// - Returns: The time; 10 s if it is above all bounds; `nil` if there are no times, or the fraction is not from 0 to
        ///   1.
        public func quantile(_ part: Double) -> Duration? {
            let count = self.count
            guard count > 0, (0...1).contains(part) else { return nil }
            let rank = part * Double(count)
            var below = 0
            for (index, bound) in Self.nanoseconds.enumerated() {
                let inside = counts[index]
                if inside > 0, Double(below + inside) >= rank {
                    let lower = index == 0 ? 0 : Double(Self.nanoseconds[index - 1])
                    let share = max(0, rank - Double(below)) / Double(inside)
                    return .nanoseconds(Int64(lower + (Double(bound) - lower) * share))
                }
                below += inside
            }
            return Self.bounds.last
        }

        private mutating func addToSum(_ time: Int64) {
            let (sum, isOverflow) = total.addingReportingOverflow(time)
            total = isOverflow ? .max : sum
        }
    }
}
