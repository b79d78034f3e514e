/// ``Timeouts`` in nanoseconds.
package struct TimeoutLimits: Sendable, Hashable {
    package var queue: Int64?
    package var connect: Int64?
    package var head: Int64?
    package var idle: Int64?
    /// `Int64.max` for none.
    package var afterResponse: Int64

    /// Converts the public limits; a negative one counts as zero.
    package init(_ timeouts: Timeouts) {
        queue = timeouts.queue?.clampedNanoseconds
        connect = timeouts.connect?.clampedNanoseconds
        head = timeouts.head?.clampedNanoseconds
        idle = timeouts.idle?.clampedNanoseconds
        afterResponse = timeouts.afterResponse?.clampedNanoseconds ?? .max
    }
}
