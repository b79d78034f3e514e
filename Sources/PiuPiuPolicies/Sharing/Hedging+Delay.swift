extension Hedging {
    /// How long the first attempt may take before a second one starts.
    public struct Delay: Sendable, Hashable {
        enum Rule: Sendable, Hashable {
            case fixed(Duration)
            case percentile(Double, minimum: Duration, maximum: Duration, minimumSamples: Int)
        }

        let rule: Rule

        /// The longest delay; a limit beyond thirty years would overflow the clock.
        private static let longest = Duration.seconds(1_000_000_000)

        /// A constant delay.
        ///
        /// - Parameter duration: The delay; a negative one counts as zero, which sends both attempts at once.
        /// - Returns: The delay.
        public static func fixed(_ duration: Duration) -> Delay {
            Delay(rule: .fixed(limited(duration)))
        }

        /// A delay that follows the observed latency of the same destination.
        ///
        /// The latencies are those of the last 256 calls, at most five minutes old. With the default, about 5 % of the calls
        /// make a second attempt.
        ///
        /// - Parameters:
        ///   - fraction: The fraction of calls that are answered within the delay: 0.95 for the 95th percentile. It is limited
        ///     to the range from 0 to 1; `nan` counts as 0.95.
        ///   - minimum: The shortest delay; 10 ms by default. A negative one counts as zero.
        ///   - maximum: The longest delay; 10 s by default. One that is shorter than `minimum` counts as `minimum`.
        ///   - minimumSamples: The number of observed calls without which there are no second attempts; 20 by default, limited
        ///     to the range from 1 to 256.
        /// - Returns: The delay.
        public static func percentile(
            _ fraction: Double = 0.95,
            minimum: Duration = .milliseconds(10),
            maximum: Duration = .seconds(10),
            minimumSamples: Int = 20
        ) -> Delay {
            let minimum = limited(minimum)
            return Delay(
                rule: .percentile(
                    fraction.isNaN ? 0.95 : min(max(fraction, 0), 1),
                    minimum: minimum,
                    maximum: limited(maximum),
                    minimumSamples: min(max(minimumSamples, 1), LatencyWindow.capacity)
                )
            )
        }

        private static func limited(_ duration: Duration) -> Duration {
            min(max(duration, .zero), longest)
        }
    }
}
