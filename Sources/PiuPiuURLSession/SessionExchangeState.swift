/// The state machine of one exchange over `URLSession`, as a pure value.
///
///     collecting ── enqueue ──▶ waiting ── start ──▶ started ── response ──▶ receiving ── complete ──▶ over
///          └──────────────────────┴── cancel, expire, fail, a limit, a bad response ──┴─────────────▶ over
///
/// The exchange ends once: the event that moves it to `over` returns the step ``Step/end(_:cancelsTask:)``, and every
/// later event returns ``Step/none``. The caller performs the returned step outside any lock.
struct SessionExchangeState {
    enum Phase: Equatable {
        /// The request's body is being collected.
        case collecting
        /// The exchange waits to be admitted.
        case waiting
        /// A task of `URLSession` is running.
        case started
        /// The final head has arrived.
        case receiving
        case over
    }

    /// The result for the caller: the head of a streamed response, or the exchange's end.
    enum Outcome: Sendable {
        case head(HTTPURLResponse, expectedLength: Int64?)
        case response(HTTPURLResponse, body: Data?)
        case failure(ExchangeFailure)
        case cancelled
        /// The streamed body is complete; the caller already has its head.
        case complete
    }

    enum Step: Sendable {
        case none
        /// Create a task.
        case start
        /// Drop the task, whose connection died before the response began, and create another one.
        case restart
        /// Pass the head to the caller.
        case head(Outcome)
        /// Pass bytes on.
        case body(Data)
        /// Deliver the outcome to the caller, and release all resources.
        case end(Outcome, cancelsTask: Bool)
    }

    /// The maximum number of tasks for a request that may be resent.
    private static var maximumStarts: Int { 3 }

    private(set) var phase = Phase.collecting
    private(set) var timeline: ExchangeTimeline
    /// The number of the body's bytes that the current task has sent.
    private(set) var bytesSent: Int64 = 0
    private(set) var bytesReceived = 0
    private(set) var head: HTTPURLResponse?
    private var hasToldHead = false
    private var body: Data?
    /// The length that the head declares; `nil` if it is unknown or the body is decompressed.
    private(set) var expectedLength: Int64?

    private let request: PreparedRequest
    /// The number of bytes to send.
    private var length: Int64 = 0
    private let totalDeadline: Int64?
    private var enqueuedAt: Int64

    /// Creates an exchange whose body is not available yet.
    init(_ request: PreparedRequest, now: Int64) {
        self.request = request
        enqueuedAt = now
        totalDeadline = request.totalDeadline(now: now)
        timeline = Self.timeline(request, now, totalDeadline)
    }

    private static func timeline(_ request: PreparedRequest, _ now: Int64, _ total: Int64?) -> ExchangeTimeline {
        let limits = request.options.limits
        return ExchangeTimeline(timeouts: limits, now: now, totalDeadline: total)
    }

    /// The time the exchange waited to be admitted, in nanoseconds.
    var queuedTime: Int64 { timeline.leftQueueAt.map { $0 - enqueuedAt } ?? 0 }

    /// The earliest limit that applies now.
    var deadline: (at: Int64, phase: TimeoutPhase)? {
        switch phase {
        case .over: nil
        // There is no limit for a producer except the total deadline.
        case .collecting: totalDeadline.map { ($0, .total) }
        case .waiting, .started, .receiving: timeline.deadline
        }
    }

    // MARK: The caller

    /// Sets the length of the body, which is now available, and returns whether the exchange still needs to be admitted.
    mutating func enqueue(length: Int64, now: Int64) -> Bool {
        guard phase == .collecting else { return false }
        self.length = length
        enqueuedAt = now
        timeline = Self.timeline(request, now, totalDeadline)
        phase = .waiting
        return true
    }

    /// Starts the exchange when it is admitted.
    mutating func start(now: Int64) -> Step {
        guard phase == .waiting else { return .none }
        phase = .started
        timeline.admit()
        begin(now)
        return .start
    }

    private mutating func begin(_ now: Int64) {
        // A repeated start is never refused here; `needsBodyAgain(now:)` checks whether it is allowed.
        _ = timeline.start(now: now, mayRepeat: true)
        bytesSent = 0
        if length == 0 { timeline.sent(now: now) }
    }

    mutating func cancel() -> Step {
        end(.cancelled)
    }

    mutating func fail(_ failure: ExchangeFailure) -> Step {
        end(.failure(known(failure)))
    }

    /// Records that the reader has paused or resumed the body.
    mutating func setPaused(_ isPaused: Bool, now: Int64) {
        timeline.setPaused(isPaused, now: now)
    }

    /// Fails the exchange if a time limit was reached.
    mutating func expire(now: Int64) -> Step {
        guard let deadline, deadline.at <= now else { return .none }
        return fail(ExchangeFailure(.timeout(deadline.phase)))
    }

    // MARK: The task

    /// Records that a piece of the request's body was sent.
    mutating func sent(_ count: Int64, now: Int64) {
        guard phase == .started || phase == .receiving else { return }
        // Foundation's own totals are read too late on Linux.
        bytesSent = min(length, bytesSent + max(0, count))
        timeline.activity(now: now)
        if bytesSent == length { timeline.sent(now: now) }
    }

    /// Records a redirect, and returns whether to answer it; after the exchange has ended, nothing waits for an answer.
    mutating func redirect(now: Int64) -> Bool {
        timeline.activity(now: now)
        return phase != .over
    }

    /// Handles the head of a response.
    mutating func response(_ response: HTTPURLResponse, now: Int64) -> Step {
        guard phase == .started else { return .none }
        timeline.activity(now: now)
        // 1xx heads are interim, except 101, which would end HTTP and was not requested (RFC 9110 §15.2.2).
        guard response.statusCode >= 200 || response.statusCode == 101 else { return .none }
        head = response
        if let failure = SessionHead.check(response, request) { return fail(failure) }
        phase = .receiving
        timeline.head(now: now)
        expectedLength = SessionHead.expectedLength(response, request)
        guard request.delivery == .streamed else { return .none }
        hasToldHead = true
        return .head(.head(response, expectedLength: expectedLength))
    }

    /// Handles a piece of the response's body.
    mutating func receive(_ data: Data, now: Int64) -> Step {
        guard phase == .receiving else { return .none }
        timeline.activity(now: now)
        guard !hasToldHead else {
            bytesReceived += data.count
            return .body(data)
        }
        guard data.count <= request.options.maximumBufferedBody - bytesReceived else {
            return fail(ExchangeFailure(.bodyTooLarge))
        }
        bytesReceived += data.count
        if body == nil { body = data } else { body?.append(data) }
        return .none
    }

    /// Handles `URLSession` asking for the body again, because the reused connection is dead.
    mutating func needsBodyAgain(now: Int64) -> Step {
        guard phase == .started else { return .none }
        guard request.isIdempotent, timeline.starts < Self.maximumStarts else {
            return fail(ExchangeFailure(.connectionLost, reason: "The connection was closed when the request was sent"))
        }
        begin(now)
        return .restart
    }

    /// Handles the end of the task without an error.
    ///
    /// - Parameters:
    ///   - response: The task's response, in case the delegate did not receive it.
    ///   - cancelsTask: Whether the task still has to be cancelled.
    ///   - now: The current time.
    /// - Returns: The step that ends the exchange.
    mutating func complete(_ response: HTTPURLResponse?, cancelsTask: Bool = false, now: Int64) -> Step {
        guard phase != .over else { return .none }
        if phase == .started {
            guard let response else { return fail(ExchangeFailure(.malformedHead)) }
            let step = self.response(response, now: now)
            if case .end = step { return step }
            guard phase == .receiving else { return fail(ExchangeFailure(.connectionLost)) }
            // The caller gets the whole response at once, so this step is not performed.
            hasToldHead = false
            guard expectedLength == 0 else { return fail(ExchangeFailure(.unsupported, reason: SessionHead.lostBody)) }
        }
        guard let head, phase == .receiving else { return fail(ExchangeFailure(.malformedHead)) }
        if let expectedLength, expectedLength != Int64(bytesReceived) { return fail(ExchangeFailure(.truncatedBody)) }
        return end(hasToldHead ? .complete : .response(head, body: body), cancelsTask: cancelsTask)
    }

    /// Handles the end of the task with an error.
    mutating func complete(_ error: URLError) -> Step {
        guard phase != .over else { return .none }
        if error.code == .cancelled { return cancel() }
        let progress: ExchangeFailure.Progress = head != nil ? .head : bytesSent > 0 ? .sent : .nothing
        return fail(ExchangeFailure(error, after: progress))
    }

    private func known(_ failure: ExchangeFailure) -> ExchangeFailure {
        var failure = failure
        failure.head = head.map { .foundation($0) }
        failure.bytesReceived = bytesReceived
        return failure
    }

    private mutating func end(_ outcome: Outcome, cancelsTask: Bool = true) -> Step {
        guard phase != .over else { return .none }
        phase = .over
        body = nil
        return .end(outcome, cancelsTask: cancelsTask)
    }
}
