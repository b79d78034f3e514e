/// The logic of a ``RateLimit``: a token bucket per key, each with a queue.
///
/// A bucket is one instant, the time at which it is full (the generic cell rate algorithm, ITU-T I.371). Taking a token moves
/// it by one interval, so rounding errors don't accumulate. A full bucket is equivalent to no bucket.
///
/// A request without a token joins the queue:
///
///     acquire ──▶ proceeded
///        │
///        └──▶ waiting ── first in line ──▶ leading ── its token is due ──▶ proceeded
///                │                            │
///                └────────── cancel ──────────┴──▶ gone; the next in line leads
///
/// The first in line leads: it alone sleeps until the next token is due, so there is one timer per bucket. A request takes its
/// token only at its turn, so a cancelled one has none to give back.
struct RateLimitMachine<Waiter: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Bucket: LimitState {
        var fullAt: Instant
        /// The requests in the order of arrival; the first one leads.
        var queue = FIFO<Int>()

        var isInUse: Bool { !queue.isEmpty }

        func isLikeNew(at now: Instant) -> Bool { queue.isEmpty && fullAt <= now }
    }

    /// The longest interval: 1,000 days, because a clock cannot sleep forever.
    static var longestInterval: Duration { .seconds(86_400_000) }
    /// The largest burst and the longest queue.
    static var largestCount: Int { 1_000_000 }

    /// The time between two tokens; zero for no limit.
    private let spacing: Duration
    /// How long before ``Bucket/fullAt`` the last token of a burst is available.
    private let allowance: Duration
    private let maximumWaiting: Int
    private let maximumWait: Duration?
    private var buckets: LimitTable<Bucket>
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0

    /// Creates buckets.
    ///
    /// - Parameters:
    ///   - count: The number of tokens in an interval, at least 1.
    ///   - interval: The interval; zero or less means no limit.
    ///   - burst: The capacity of a bucket, at least 1.
    ///   - maximumWaiting: The maximum number of waiting requests per bucket.
    ///   - maximumWait: The longest wait; `nil` for no limit.
    ///   - capacity: The number of buckets to keep.
    init(
        count: Int,
        interval: Duration,
        burst: Int,
        maximumWaiting: Int,
        maximumWait: Duration?,
        capacity: Int = 1024
    ) {
        spacing = max(.zero, min(interval, Self.longestInterval)) / max(1, count)
        allowance = spacing * (min(max(1, burst), Self.largestCount) - 1)
        self.maximumWaiting = min(max(0, maximumWaiting), Self.largestCount)
        self.maximumWait = maximumWait
        buckets = LimitTable(capacity: capacity)
    }

    /// The number of waiting requests.
    var waitingCount: Int { waiters.count }
    /// The number of buckets.
    var bucketCount: Int { buckets.count }

    enum Decision: Sendable {
        case proceed
        /// Sleep until an instant, and then call ``RateLimitMachine/advance(_:of:at:)``.
        case lead(id: Int, until: Instant)
        /// Wait until the waiter is resumed to lead.
        case wait(id: Int, Waiter)
        case refuse(LimitError.Reason, wait: Duration)
    }

    /// Requests a token before a deadline, and creates a waiter if the request has to wait.
    mutating func acquire(
        _ key: String,
        at now: Instant,
        deadline: Instant?,
        waiter: @autoclosure () -> Waiter
    ) -> Decision {
        let id = lastID + 1
        let place: Place = buckets.withState(of: key, at: now, initial: Bucket(fullAt: now)) { bucket in
            let next = bucket.fullAt - allowance
            if bucket.queue.isEmpty, next <= now {
                bucket.fullAt = max(bucket.fullAt, now) + spacing
                return .served
            }
            let waiting = bucket.queue.count
            let due = max(next, now) + spacing * waiting
            let wait = now.duration(to: due)
            if waiting >= maximumWaiting { return .refused(.queueFull, wait) }
            if let maximumWait, wait > maximumWait { return .refused(.waitTooLong, wait) }
            if let deadline, due > deadline { return .refused(.deadline, wait) }
            bucket.queue.append(id)
            return waiting == 0 ? .first(due: next) : .behind
        }
        switch place {
        case .served: return .proceed
        case .refused(let reason, let wait): return .refuse(reason, wait: wait)
        case .first(let due):
            lastID = id
            waiters[id] = waiter()
            return .lead(id: id, until: due)
        case .behind:
            lastID = id
            let waiter = waiter()
            waiters[id] = waiter
            return .wait(id: id, waiter)
        }
    }

    private enum Place {
        case served, behind
        case first(due: Instant)
        case refused(LimitError.Reason, Duration)
    }

    enum Step: Sendable {
        /// The request has its token; the next in line, if any, leads.
        case proceed(next: Waiter?)
        /// It is too early: sleep until an instant.
        case sleep(until: Instant)
        /// The request was cancelled.
        case cancelled
    }

    /// Continues the first request in line: it takes its token, or gets the time at which the token is due.
    mutating func advance(_ id: Int, of key: String, at now: Instant) -> Step {
        guard waiters[id] != nil else { return .cancelled }
        let step: (until: Instant?, next: Int?)? = buckets.withExistingState(of: key) { bucket in
            let due = bucket.fullAt - allowance
            guard due <= now else { return (due, nil) }
            bucket.queue.remove(id)
            // A timer is always slightly late. Compensate for up to one token, so that delays do not add up.
            bucket.fullAt = max(bucket.fullAt, now - spacing) + spacing
            return (nil, bucket.queue.first)
        }
        guard let step else { return .cancelled }
        if let until = step.until { return .sleep(until: until) }
        waiters[id] = nil
        return .proceed(next: step.next.flatMap { waiters[$0] })
    }

    /// Removes a request from its queue, if it is still there; returns the waiter of the next in line, if that now leads.
    mutating func cancel(_ id: Int, of key: String) -> Waiter? {
        guard waiters.removeValue(forKey: id) != nil else { return nil }
        let next: Int?? = buckets.withExistingState(of: key) { bucket in
            let wasFirst = bucket.queue.first == id
            bucket.queue.remove(id)
            return wasFirst ? bucket.queue.first : nil
        }
        return (next ?? nil).flatMap { waiters[$0] }
    }
}
