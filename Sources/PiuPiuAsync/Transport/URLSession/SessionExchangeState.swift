/// One exchange over `URLSession` as a pure value: what each event means in each phase.
///
///     collecting ── enqueue ──▶ waiting ── start ──▶ started ── response ──▶ receiving ── complete ──▶ over
///          └──────────────────────┴── cancel, expire, fail, a limit, a bad response ──┴─────────────▶ over
///
/// It ends once: whoever brings it to `over` is told so by the step ``Step/end(_:cancelsTask:)``, everything afterwards is
/// ``Step/none``. What is returned as a step is performed by the caller, outside of any lock.
struct SessionExchangeState {
    enum Phase: Equatable {
        /// The body to send is put together.
        case collecting
        /// It waits for its turn.
        case waiting
        /// A task of `URLSession` is at work.
        case started
        /// The final head is there.
        case receiving
        case over
    }

    /// What the caller is told: the head of a streamed response, and how it ended.
    enum Outcome: Sendable {
        case head(HTTPURLResponse, expectedLength: Int64?)
        case response(HTTPURLResponse, body: Data?)
        case failure(SessionFailure)
        case cancelled
        /// The streamed body, whose head the caller has, is complete.
        case complete
    }

    enum Step: Sendable {
        case none
        /// Make a task.
        case start
        /// Give up the task, whose connection died before the response began, and make another one.
        case restart
        /// Tell the caller of the head.
        case head(Outcome)
        /// Pass bytes on.
        case body(Data)
        /// Tell the caller how it ended, and let go of everything.
        case end(Outcome, cancelsTask: Bool)
    }

    /// How often a task is made for a request that may be sent again.
    private static var maximumStarts: Int { 3 }

    private(set) var phase = Phase.collecting
    private(set) var timeline: ExchangeTimeline
    /// How many bytes of the body were handed over, of the present task.
    private(set) var bytesSent: Int64 = 0
    private(set) var bytesReceived = 0
    private(set) var head: HTTPURLResponse?
    private var hasToldHead = false
    private var body: Data?
    /// What the head promises; `nil` where the bytes that come are not those that were counted.
    private(set) var expectedLength: Int64?

    private let request: PreparedRequest
    /// How many bytes are sent.
    private var length: Int64 = 0
    private let totalDeadline: Int64?
    private var enqueuedAt: Int64

    /// Creates an exchange whose body is not there yet.
    init(_ request: PreparedRequest, now: Int64) {
        self.request = request
        enqueuedAt = now
        let remaining =
            request.deadline.map { ContinuousClock.now.duration(to: $0).clampedNanoseconds }
            ?? request.options.timeouts.total?.clampedNanoseconds
        totalDeadline = remaining.map { now.addingReportingOverflow($0).overflow ? .max : now + $0 }
        timeline = Self.timeline(request, now, totalDeadline)
    }

    private static func timeline(_ request: PreparedRequest, _ now: Int64, _ total: Int64?) -> ExchangeTimeline {
        let limits = ExchangeTimeline.Limits(request.options.timeouts)
        return ExchangeTimeline(timeouts: limits, now: now, totalDeadline: total)
    }

    /// How long it waited for its turn, in nanoseconds.
    var queuedTime: Int64 { timeline.leftQueueAt.map { $0 - enqueuedAt } ?? 0 }

    /// The earliest limit that applies now.
    var deadline: (at: Int64, phase: TimeoutPhase)? {
        switch phase {
        case .over: nil
        // A producer takes the time it takes.
        case .collecting: totalDeadline.map { ($0, .total) }
        case .waiting, .started, .receiving: timeline.deadline
        }
    }

    // MARK: What the caller does

    /// The body is there, and the exchange waits for its turn from now on.
    ///
    /// - Parameters:
    ///   - length: How many bytes are to be sent.
    ///   - now: The present.
    /// - Returns: Whether it still wants a turn.
    mutating func enqueue(length: Int64, now: Int64) -> Bool {
        guard phase == .collecting else { return false }
        self.length = length
        enqueuedAt = now
        timeline = Self.timeline(request, now, totalDeadline)
        phase = .waiting
        return true
    }

    /// It is its turn.
    mutating func start(now: Int64) -> Step {
        guard phase == .waiting else { return .none }
        phase = .started
        timeline.admit()
        begin(now)
        return .start
    }

    private mutating func begin(_ now: Int64) {
        // Refused only the second time, which is asked before.
        _ = timeline.start(now: now, mayRepeat: true)
        bytesSent = 0
        if length == 0 { timeline.sent(now: now) }
    }

    mutating func cancel() -> Step {
        end(.cancelled)
    }

    mutating func fail(_ failure: SessionFailure) -> Step {
        end(.failure(known(failure)))
    }

    /// The reader keeps bytes from coming, or no longer does.
    mutating func setPaused(_ isPaused: Bool, now: Int64) {
        timeline.setPaused(isPaused, now: now)
    }

    /// A limit may have been reached.
    mutating func expire(now: Int64) -> Step {
        guard let deadline, deadline.at <= now else { return .none }
        return fail(SessionFailure(.timeout(deadline.phase)))
    }

    // MARK: What the task tells

    /// A piece of the body was handed over.
    mutating func sent(_ count: Int64, now: Int64) {
        guard phase == .started || phase == .receiving else { return }
        // Foundation's own sums are read too late on Linux.
        bytesSent = min(length, bytesSent + max(0, count))
        timeline.activity(now: now)
        if bytesSent == length { timeline.sent(now: now) }
    }

    /// A redirect has come.
    ///
    /// - Parameter now: The present.
    /// - Returns: Whether it is to be answered; after the end nobody waits for that.
    mutating func redirect(now: Int64) -> Bool {
        timeline.activity(now: now)
        return phase != .over
    }

    /// A head has come.
    mutating func response(_ response: HTTPURLResponse, now: Int64) -> Step {
        guard phase == .started else { return .none }
        timeline.activity(now: now)
        // 1xx are steps on the way, except that 101 would end HTTP, which nobody asked for (RFC 9110 §15.2.2).
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

    /// A piece of the response's body has come.
    mutating func receive(_ data: Data, now: Int64) -> Step {
        guard phase == .receiving else { return .none }
        timeline.activity(now: now)
        guard !hasToldHead else {
            bytesReceived += data.count
            return .body(data)
        }
        guard data.count <= request.options.maximumBufferedBody - bytesReceived else {
            return fail(SessionFailure(.bodyTooLarge))
        }
        bytesReceived += data.count
        if body == nil { body = data } else { body?.append(data) }
        return .none
    }

    /// `URLSession` wants the body again: the connection that was to be used again is dead.
    mutating func needsBodyAgain(now: Int64) -> Step {
        guard phase == .started else { return .none }
        guard request.isIdempotent, timeline.starts < Self.maximumStarts else {
            return fail(SessionFailure(.connectionLost, reason: "The connection was closed when the request was sent"))
        }
        begin(now)
        return .restart
    }

    /// The task has come to its end without an error.
    ///
    /// - Parameters:
    ///   - response: The response as the task has it, where the delegate was not told.
    ///   - cancelsTask: Whether the task has to be ended yet.
    ///   - now: The present.
    /// - Returns: The end.
    mutating func complete(_ response: HTTPURLResponse?, cancelsTask: Bool = false, now: Int64) -> Step {
        guard phase != .over else { return .none }
        if phase == .started {
            guard let response else { return fail(SessionFailure(.malformedHead)) }
            let step = self.response(response, now: now)
            if case .end = step { return step }
            guard phase == .receiving else { return fail(SessionFailure(.connectionLost)) }
            // The step is not performed: the caller gets all at once.
            hasToldHead = false
            guard expectedLength == 0 else { return fail(SessionFailure(.unsupported, reason: SessionHead.lostBody)) }
        }
        guard let head, phase == .receiving else { return fail(SessionFailure(.malformedHead)) }
        if let expectedLength, expectedLength != Int64(bytesReceived) { return fail(SessionFailure(.truncatedBody)) }
        return end(hasToldHead ? .complete : .response(head, body: body), cancelsTask: cancelsTask)
    }

    /// The task has failed.
    mutating func complete(_ error: URLError) -> Step {
        guard phase != .over else { return .none }
        if error.code == .cancelled { return cancel() }
        let progress: SessionFailure.Progress = head != nil ? .head : bytesSent > 0 ? .sent : .nothing
        return fail(SessionFailure(error, after: progress))
    }

    private func known(_ failure: SessionFailure) -> SessionFailure {
        var failure = failure
        failure.head = head
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
