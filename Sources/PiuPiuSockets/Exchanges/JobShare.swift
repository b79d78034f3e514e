#if os(Linux)
/// The share of a loop's turn that the jobs of tasks may take; a pure value.
///
/// Sockets and timers wait while jobs run. After so much time or so many jobs, they have their turn, and the other jobs follow.
package struct JobShare {
    /// How long jobs may take in one turn, in nanoseconds; the last one may exceed it.
    static let time: Int64 = 1_000_000
    /// How many jobs run in one turn.
    static let count = 256
    /// How long a job may take until it is reported, in nanoseconds.
    static let longJob: Int64 = 50_000_000

    private var endsAt: Int64
    private var rest = JobShare.count
    /// When the last job, or whatever else was recorded, ended.
    private(set) var lastEnd: Int64

    /// Whether the sockets have their turn before the next job.
    var isUsedUp: Bool { rest <= 0 || lastEnd >= endsAt }

    /// Creates the share of a turn.
    init(now: Int64) {
        lastEnd = now
        endsAt = now + Self.time
    }

    /// Records that something else was done until a time.
    mutating func pass(until now: Int64) { lastEnd = now }

    /// Records that a job ended, and returns how long it took if that is to be reported.
    mutating func spend(until now: Int64) -> Duration? {
        let taken = now - lastEnd
        lastEnd = now
        rest -= 1
        return taken >= Self.longJob ? .nanoseconds(taken) : nil
    }
}
#endif
