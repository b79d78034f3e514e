extension ExchangeTimeline {
    /// ``Timeouts`` in nanoseconds.
    package struct Limits: Sendable, Hashable {
        var queue: Int64?
        package var connect: Int64?
        var head: Int64?
        var idle: Int64?
        /// `Int64.max` for none.
        var afterResponse: Int64

        /// Converts the public limits; a negative one counts as zero.
        ///
        /// - Parameter timeouts: The public limits.
        package init(_ timeouts: Timeouts) {
            queue = timeouts.queue?.clampedNanoseconds
            connect = timeouts.connect?.clampedNanoseconds
            head = timeouts.head?.clampedNanoseconds
            idle = timeouts.idle?.clampedNanoseconds
            afterResponse = timeouts.afterResponse?.clampedNanoseconds ?? .max
        }
    }
}

extension Duration {
    /// The duration in nanoseconds, at least zero and at most `Int64.max`.
    package var clampedNanoseconds: Int64 {
        // Compare first: `components` traps if the seconds do not fit into an `Int64`.
        guard self > .zero else { return 0 }
        guard self < .nanoseconds(Int64.max) else { return .max }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
