/// The phase of an exchange and its deadline: the time limits as a pure value.
///
/// All times are in nanoseconds of the same clock.
///
///     queued ─ admit ─▶ waiting ─ connect ─▶ connecting ─ start ─▶ sending ─ sent ─▶ awaitingHead ─ head ─▶ receiving
///                          └───────────────── start (reused connection) ─▶┘                                    └─ open ─▶ open
///
/// `waiting` means that the engine has the exchange but has not started it, because it waits for a connection in the
/// engine's own queue. For the caller, this still counts as the queue.
package struct ExchangeTimeline {
    package enum Phase: Equatable {
        case queued, waiting, connecting, sending, awaitingHead, receiving
        /// The exchange is a tunnel, for which no limit applies.
        case open
    }

    package private(set) var phase = Phase.queued
    /// The time when the exchange left the queue; `nil` while it waits.
    package private(set) var leftQueueAt: Int64?

    private let timeouts: TimeoutLimits
    /// When the exchange began to wait for a connection.
    private var waitsSince: Int64
    private let totalDeadline: Int64?
    private var phaseBeganAt: Int64
    private var lastActivityAt: Int64
    /// The number of times the engine started to send the request.
    package private(set) var starts = 0
    /// Whether the caller pauses the exchange by reading or writing slowly; that time does not count against the server.
    private var isPaused = false

    /// The time until which the exchange's own speed limit may block further bytes.
    private var heldUntil: Int64 = 0

    /// The request content that the system holds, and its acknowledgements.
    private var transit = Transit()
    /// The time until which the rest of an unwanted body may arrive; `Int64.max` if the body is wanted.
    private var drainsUntil = Int64.max
    /// Whether the whole response arrived before the whole request was sent.
    private var isAnswered = false

    /// Whether a byte of the request may have been sent.
    package var hasStarted: Bool { starts > 0 }

    /// Whether the request is being sent, or was sent, on the current connection.
    package var isUnderWay: Bool {
        switch phase {
        case .queued, .waiting, .connecting: false
        case .sending, .awaitingHead, .receiving, .open: true
        }
    }

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - timeouts: The limits.
    ///   - now: The present.
    ///   - totalDeadline: When the exchange must be over.
    package init(timeouts: TimeoutLimits, now: Int64, totalDeadline: Int64?) {
        self.timeouts = timeouts
        self.waitsSince = now
        self.totalDeadline = totalDeadline
        self.phaseBeganAt = now
        self.lastActivityAt = now
    }

    /// Records that the engine took the exchange.
    package mutating func admit() {
        if phase == .queued { phase = .waiting }
    }

    /// Records that the server did not process the last attempt, or any attempt so far, which then counts as not sent.
    package mutating func forgetStart(all: Bool) {
        starts = all ? 0 : max(0, starts - 1)
    }

    /// Restarts the timeline while the exchange waits for another connection.
    package mutating func beginAnew(now: Int64) {
        phase = .waiting
        phaseBeganAt = now
        waitsSince = now
        lastActivityAt = now
        isPaused = false
        isAnswered = false
        heldUntil = 0
        drainsUntil = .max
        transit = Transit()
    }

    /// Records that the engine started to resolve the name or to open a socket.
    ///
    /// This may also follow ``start(now:mayRepeat:)``, if a reused connection turns out to be dead.
    package mutating func connect(now: Int64) {
        guard phase != .connecting, phase != .receiving else { return }
        if leftQueueAt == nil { leftQueueAt = now }
        enter(.connecting, now)
    }

    package enum StartAction: Equatable {
        case proceed
        /// The request was started on a connection that died, and sending it again could repeat its effect.
        case refuse
    }

    /// Records that the engine is about to send the request, and returns whether it may be sent.
    package mutating func start(now: Int64, mayRepeat: Bool) -> StartAction {
        if hasStarted, !mayRepeat { return .refuse }
        starts += 1
        transit = Transit()
        isAnswered = false
        heldUntil = 0
        if leftQueueAt == nil { leftQueueAt = now }
        enter(.sending, now)
        return .proceed
    }

    /// Records that the last byte of the request was passed to the connection.
    package mutating func sent(now: Int64) {
        guard phase == .sending else { return }
        enter(.awaitingHead, now)
    }

    /// Records that the final head is complete.
    package mutating func head(now: Int64) {
        enter(.receiving, now)
    }

    /// Records that the exchange has become a tunnel.
    package mutating func open(now: Int64) {
        enter(.open, now)
        transit = Transit()
    }

    /// Records that bytes moved in either direction.
    package mutating func activity(now: Int64) {
        lastActivityAt = now
    }

    /// Records that content of the request was passed to the system, which may hold it for a long time.
    package mutating func contentMoved(now: Int64) {
        lastActivityAt = now
        transit.hasContent = true
        transit.mayHaveRest = true
    }

    /// Records moved bytes that count toward a speed limit; the rate is in bytes per second and more than 0.
    ///
    /// The engine moves no more bytes until the limit allows it; that time does not count against the server.
    package mutating func moved(_ count: Int, rate: Int64, now: Int64) {
        let (whole, overflow) = Int64(count).multipliedReportingOverflow(by: 1_000_000_000)
        let (until, isTooFar) = max(heldUntil, now).addingReportingOverflow(overflow ? .max : whole / rate)
        heldUntil = isTooFar ? .max : until
    }

    /// Records that the whole response arrived before the whole request was sent.
    package mutating func answered(now: Int64) {
        guard !isAnswered else { return }
        isAnswered = true
        lastActivityAt = now
    }

    /// Records that the body is unwanted; its rest may arrive within a duration in nanoseconds.
    package mutating func drain(for duration: Int64, now: Int64) { drainsUntil = now + duration }

    /// Returns whether the total deadline has passed.
    package func isOver(now: Int64) -> Bool { phase != .open && totalDeadline.map { $0 <= now } ?? false }

    /// Records whether the caller pauses a direction.
    package mutating func setPaused(_ paused: Bool, now: Int64) {
        guard paused != isPaused else { return }
        isPaused = paused
        lastActivityAt = now
    }

    /// The earliest limit that applies now.
    package var deadline: (at: Int64, phase: TimeoutPhase)? {
        guard phase != .open else { return nil }
        var earliest: (at: Int64, phase: TimeoutPhase)?
        func consider(_ start: Int64, _ limit: Int64?, _ phase: TimeoutPhase) {
            guard let limit else { return }
            let (at, overflow) = start.addingReportingOverflow(limit)
            guard !overflow, at < earliest?.at ?? .max else { return }
            earliest = (at, phase)
        }
        if let totalDeadline { earliest = (totalDeadline, .total) }
        if drainsUntil < .max { consider(drainsUntil, 0, .idle) }
        let lastActivityAt = max(lastActivityAt, heldUntil)
        if isAnswered { consider(lastActivityAt, timeouts.afterResponse, .idle) }
        switch phase {
        case .queued, .waiting: consider(waitsSince, timeouts.queue, .queue)
        case .connecting:
            consider(phaseBeganAt, timeouts.connect, .connect)
            if timeouts.connect == nil { consider(lastActivityAt, timeouts.idle, .idle) }
        case .sending, .receiving: if !isPaused { consider(lastActivityAt, timeouts.idle, .idle) }
        case .open: break
        case .awaitingHead:
            consider(max(phaseBeganAt, heldUntil), timeouts.head, .head)
            if !isPaused { consider(lastActivityAt, timeouts.idle, .idle) }
        }
        return earliest
    }

    // MARK: Checks

    /// The time when the engine has to check the exchange: at its deadline, and earlier while the system may hold content.
    package var checkAt: Int64? { deadline.map { min($0.at, lookAt) } }

    /// The time to ask the system about the content that it may hold; `Int64.max` for never.
    ///
    /// An acknowledgement may cover bytes that moved at any time since the last check, so the checks are frequent.
    private var lookAt: Int64 {
        guard transit.mayHaveRest, phase != .connecting else { return .max }
        let limit = min(timeouts.idle ?? .max, isAnswered ? timeouts.afterResponse : .max)
        let pause = min(max(limit / 16, 10_000_000), 1_000_000_000)
        let (at, overflow) = max(lastActivityAt, heldUntil, transit.lookedAt).addingReportingOverflow(pause)
        return overflow ? .max : at
    }

    /// Decides what to do with an exchange that is due for a check.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - look: Returns the engine's observations; called if unrecorded activity could postpone the limit.
    /// - Returns: The engine's next step.
    package mutating func check(now: Int64, _ look: () -> Finding) -> Verdict {
        if lookAt <= now || deadline.map({ $0.phase == .idle && $0.at <= now }) ?? false { apply(look(), now) }
        guard let deadline, let checkAt else { return .unlimited }
        return deadline.at > now ? .wait(until: checkAt) : .end(deadline.phase)
    }

    private mutating func apply(_ finding: Finding, _ now: Int64) {
        guard phase != .connecting else {
            if case .handshake(let movedAt) = finding { lastActivityAt = movedAt } else { lastActivityAt = now }
            return
        }
        transit.lookedAt = now
        guard case .traffic(let traffic) = finding else { return transit.mayHaveRest = false }
        lastActivityAt = max(lastActivityAt, min(now, traffic.lastReceivedAt))
        guard transit.hasContent else { return }
        // The first check has nothing to compare with.
        if transit.acknowledged != traffic.acknowledged {
            lastActivityAt = max(lastActivityAt, min(now, traffic.lastAcknowledgedAt))
        }
        transit.acknowledged = traffic.acknowledged
        transit.mayHaveRest = traffic.hasUnsentBytes
    }

    private mutating func enter(_ next: Phase, _ now: Int64) {
        phase = next
        phaseBeganAt = now
        lastActivityAt = now
    }
}
