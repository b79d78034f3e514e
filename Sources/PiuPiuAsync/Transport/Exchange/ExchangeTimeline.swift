/// Which phase an exchange is in, and until when it may stay there: the time limits as a pure value.
///
/// All times are nanoseconds of one clock.
///
///     queued ─ admit ─▶ waiting ─ connect ─▶ connecting ─ start ─▶ sending ─ sent ─▶ awaitingHead ─ head ─▶ receiving
///                          └───────────────── start (reused connection) ─▶┘
///
/// `waiting` means that the engine has the exchange but has not begun with it, because it waits for a connection in its
/// own queue: to the caller that is still the queue.
package struct ExchangeTimeline {
    enum Phase: Equatable {
        case queued, waiting, connecting, sending, awaitingHead, receiving
    }

    private(set) var phase = Phase.queued
    /// When the exchange left the queue; `nil` while it waits.
    private(set) var leftQueueAt: Int64?

    private let timeouts: Limits
    /// Since when it waits for a connection.
    private var waitsSince: Int64
    private let totalDeadline: Int64?
    private var phaseBeganAt: Int64
    private var lastActivityAt: Int64
    /// How often the engine began to send the request.
    private(set) var starts = 0
    /// Whether nothing moves because of the caller, who reads or writes slowly; its time is not the server's.
    private var isPaused = false

    /// How many bytes the other side had acknowledged when that was last looked at; 0 before.
    private var acknowledged: UInt64 = 0
    /// Whether the whole response is there, although the request is not sent to its end.
    private var isAnswered = false

    /// Whether a byte of the request may have been sent.
    var hasStarted: Bool { starts > 0 }

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - timeouts: The limits.
    ///   - now: The present.
    ///   - totalDeadline: When everything has to be over.
    package init(timeouts: Limits, now: Int64, totalDeadline: Int64?) {
        self.timeouts = timeouts
        self.waitsSince = now
        self.totalDeadline = totalDeadline
        self.phaseBeganAt = now
        self.lastActivityAt = now
    }

    /// The engine took the exchange.
    mutating func admit() {
        if phase == .queued { phase = .waiting }
    }

    /// The server did nothing with what was sent last, so that it counts as not sent.
    ///
    /// - Parameter all: Whether that is true of all that was sent before, too.
    mutating func forgetStart(all: Bool) {
        starts = all ? 0 : max(0, starts - 1)
    }

    /// The exchange begins anew, and waits for another connection.
    mutating func beginAnew(now: Int64) {
        phase = .waiting
        phaseBeganAt = now
        waitsSince = now
        lastActivityAt = now
        isPaused = false
        isAnswered = false
    }

    /// The engine began to resolve the name or to open a socket.
    ///
    /// That may come after ``start(now:mayRepeat:)`` too, when a connection that was to be used again proved dead.
    mutating func connect(now: Int64) {
        guard phase != .connecting, phase != .receiving else { return }
        if leftQueueAt == nil { leftQueueAt = now }
        enter(.connecting, now)
    }

    package enum StartAction: Equatable {
        case proceed
        /// The request was begun before on a connection that died; sending it again could have an effect twice.
        case refuse
    }

    /// The engine is about to send the request.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - mayRepeat: Whether the request may be sent a second time.
    /// - Returns: Whether it may be sent.
    package mutating func start(now: Int64, mayRepeat: Bool) -> StartAction {
        if hasStarted, !mayRepeat { return .refuse }
        starts += 1
        acknowledged = 0
        isAnswered = false
        if leftQueueAt == nil { leftQueueAt = now }
        enter(.sending, now)
        return .proceed
    }

    /// The last byte of the request was handed over.
    package mutating func sent(now: Int64) {
        guard phase == .sending else { return }
        enter(.awaitingHead, now)
    }

    /// The final head is complete.
    package mutating func head(now: Int64) {
        enter(.receiving, now)
    }

    /// Bytes moved in either direction.
    package mutating func activity(now: Int64) {
        lastActivityAt = now
    }

    /// Takes in what the system says about the connection, when no activity was noted for too long.
    ///
    /// - Parameters:
    ///   - traffic: What it says.
    ///   - now: The present.
    /// - Returns: Whether bytes moved, so that the limit is not reached.
    mutating func moved(_ traffic: ConnectionTraffic, now: Int64) -> Bool {
        let before = lastActivityAt
        // Later than what was noted, or it was noted.
        lastActivityAt = max(lastActivityAt, min(now, traffic.lastReceivedAt))
        if !traffic.hasUnsentBytes {
            lastActivityAt = max(lastActivityAt, min(now, traffic.lastAcknowledgedAt))
        } else if acknowledged < traffic.acknowledged {
            // The first time there is nothing to compare with, and what waits to be sent gets the benefit of the doubt.
            lastActivityAt = now
        }
        acknowledged = traffic.acknowledged
        guard lastActivityAt > before, let deadline else { return false }
        return deadline.at > now
    }

    /// The whole response is there, and the request is not sent to its end.
    mutating func answered(now: Int64) {
        guard !isAnswered else { return }
        isAnswered = true
        lastActivityAt = now
    }

    /// Whether everything has to be over.
    func isOver(now: Int64) -> Bool { totalDeadline.map { $0 <= now } ?? false }

    /// The caller keeps a direction from moving, or no longer does.
    package mutating func setPaused(_ paused: Bool, now: Int64) {
        guard paused != isPaused else { return }
        isPaused = paused
        lastActivityAt = now
    }

    /// The earliest limit that applies now.
    package var deadline: (at: Int64, phase: TimeoutPhase)? {
        var earliest: (at: Int64, phase: TimeoutPhase)?
        func consider(_ start: Int64, _ limit: Int64?, _ phase: TimeoutPhase) {
            guard let limit else { return }
            let (at, overflow) = start.addingReportingOverflow(limit)
            guard !overflow, at < earliest?.at ?? .max else { return }
            earliest = (at, phase)
        }
        if let totalDeadline { earliest = (totalDeadline, .total) }
        if isAnswered { consider(lastActivityAt, timeouts.afterResponse, .idle) }
        switch phase {
        case .queued, .waiting: consider(waitsSince, timeouts.queue, .queue)
        case .connecting: consider(phaseBeganAt, timeouts.connect, .connect)
        case .sending, .receiving: if !isPaused { consider(lastActivityAt, timeouts.idle, .idle) }
        case .awaitingHead:
            consider(phaseBeganAt, timeouts.head, .head)
            if !isPaused { consider(lastActivityAt, timeouts.idle, .idle) }
        }
        return earliest
    }

    private mutating func enter(_ next: Phase, _ now: Int64) {
        phase = next
        phaseBeganAt = now
        lastActivityAt = now
    }
}

extension ExchangeTimeline {
    /// ``Timeouts`` in nanoseconds.
    package struct Limits: Equatable {
        var queue: Int64?
        var connect: Int64?
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
        // Compared before it is taken apart: `components` traps where the seconds do not fit into an `Int64`.
        guard self > .zero else { return 0 }
        guard self < .nanoseconds(Int64.max) else { return .max }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
