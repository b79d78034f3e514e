extension ExchangeTimeline {
    /// Creates the timeline of a request that is sent now.
    package init(of request: PreparedRequest, now: Int64) {
        self.init(timeouts: request.options.limits, now: now, totalDeadline: request.totalDeadline(now: now))
    }
}

extension PreparedRequest {
    /// The time at which the exchange must be over, in nanoseconds of the clock of `now`; `nil` for never.
    ///
    /// The request's own deadline takes precedence over the total time limit of its options.
    package func totalDeadline(now: Int64) -> Int64? {
        let remaining =
            deadline.map { ContinuousClock.now.duration(to: $0).clampedNanoseconds }
            ?? options.timeouts.total?.clampedNanoseconds
        return remaining.map { now.addingReportingOverflow($0).overflow ? .max : now + $0 }
    }
}
