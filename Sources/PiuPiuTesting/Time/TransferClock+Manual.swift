import PiuPiuAsync

extension TransferClock {
    /// Creates a clock for a transport from a clock that a test moves.
    ///
    /// All transfer clocks created from the same clock have the same `instant` at the same time, so that calls over several
    /// transports can share one deadline:
    ///
    /// ```swift
    /// let options = dispatcher.configuration.options.with {
    ///     $0.deadline = TransferClock(clock).instant + .milliseconds(400)
    /// }
    /// ```
    ///
    /// - Parameter clock: The clock to measure with.
    public init(_ clock: ManualClock) {
        let start = clock.now
        self.init(clock, since: start, at: clock.origin.advanced(by: start.offset))
    }
}
