/// One exchange over `URLSession`, which performs the steps that ``SessionExchangeState`` returns.
final class SessionExchange: Sendable {
    typealias Outcome = SessionExchangeState.Outcome
    private typealias Step = SessionExchangeState.Step

    private struct State {
        var machine: SessionExchangeState
        /// The continuation of the caller, which waits for the head or the end.
        var continuation: CheckedContinuation<Outcome, Never>?
        /// The outcome that arrived before the caller waited.
        var early: Outcome?
        /// Whether the caller has its response and only the body is outstanding.
        var hasAnswered = false
        /// The destination of a streamed body; `nil` if the body is buffered.
        var inbound: InboundBody?
        /// The task that collects the request's body.
        var collector: Task<Void, Never>?
        var body: Data?
        var task: URLSessionDataTask?
        var session: URLSession?
        var isSuspended = false
        var metrics: URLSessionTaskMetrics?
        /// The time at which the engine will wake this exchange.
        var wakesAt: Int64?
    }

    let request: TransportRequest
    private let prepared: PreparedRequest
    private let engine: SessionEngine
    private let state: Locked<State>

    init(_ request: TransportRequest, _ prepared: PreparedRequest, _ engine: SessionEngine) {
        self.request = request
        self.prepared = prepared
        self.engine = engine
        state = Locked(State(machine: SessionExchangeState(prepared, now: SessionEngine.now)))
        guard request.delivery == .streamed else { return }
        // Weak references: the engine retains the exchange while there is something to resume or cancel.
        let inbound = InboundBody(
            resume: { [weak self] in self?.resume() },
            cancel: { [weak self] in self?.cancel() }
        )
        state.withLock { $0.inbound = inbound }
    }

    /// The origin whose connection limit applies.
    var origin: String { prepared.target.origin }

    /// The streamed body; `nil` if the body is collected.
    var inbound: InboundBody? { state.withLock { $0.inbound } }

    /// The measured times; `nil` on Linux, where Foundation measures nothing.
    var metrics: ExchangeMetrics? {
        let (metrics, queued) = state.withLock { state in
            (state.metrics, state.machine.queuedTime)
        }
        return metrics.flatMap { ExchangeMetrics($0, queued: .nanoseconds(queued)) }
    }

    // MARK: The caller

    /// Shows the thread sanitizer that the outcome was created before the caller is resumed with it.
    func showOrder() { state.showOrder() }

    /// Begins the exchange, and resumes the continuation once.
    func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
        let early = state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early.take()
        }
        if let early { return continuation.resume(returning: early) }
        switch prepared.kind {
        case .withoutContent, .head: enqueue(nil)
        case .withContent(let data): enqueue(data)
        case .withStream(let body): collect(body)
        }
    }

    /// Collects a body in memory.
    ///
    /// Foundation on Linux treats the end of the bytes available now as the end of a stream.
    private func collect(_ body: ResolvedBody) {
        let limit = request.options.maximumBufferedBody
        let collector = Task {
            do {
                guard body.length ?? 0 <= Int64(limit) else { throw TransferError(.bodyTooLarge) }
                enqueue(try await body.collect(upTo: limit))
            } catch {
                var failure = ExchangeFailure(.invalidRequest)
                failure.cause = error
                fail(failure)
            }
        }
        let isOver = state.withLock { state in
            state.collector = collector
            return state.machine.phase == .over
        }
        if isOver { collector.cancel() }
        apply { _ in .none }
    }

    private func enqueue(_ body: Data?) {
        let wantsTurn = state.withLock { state in
            guard state.machine.enqueue(length: Int64(body?.count ?? 0), now: SessionEngine.now) else { return false }
            state.body = body
            return true
        }
        guard wantsTurn else { return }
        apply { _ in .none }
        engine.request(self)
    }

    /// Starts the exchange when it is admitted.
    func start() {
        apply { $0.start(now: SessionEngine.now) }
    }

    func cancel() {
        apply { $0.cancel() }
    }

    func expire(now: Int64) {
        state.withLock { $0.wakesAt = nil }
        apply { $0.expire(now: now) }
    }

    private func fail(_ failure: ExchangeFailure) {
        apply { $0.fail(failure) }
    }

    // MARK: The delegate, on the engine's queue

    func didSend(_ count: Int64) {
        apply {
            $0.sent(count, now: SessionEngine.now)
            return .none
        }
        request.reporter?.didSend(state.withLock { $0.machine.bytesSent })
    }

    /// Records a redirect, and returns whether to answer it.
    func didReceiveRedirect() -> Bool {
        state.withLock { $0.machine.redirect(now: SessionEngine.now) }
    }

    func didReceive(_ response: HTTPURLResponse) {
        apply { $0.response(response, now: SessionEngine.now) }
        guard isReported else { return }
        request.reporter?.willReceive(state.withLock { $0.machine.expectedLength })
    }

    func didReceive(_ data: Data) {
        apply { $0.receive(data, now: SessionEngine.now) }
        if isReported { request.reporter?.didReceive(Int64(state.withLock { $0.machine.bytesReceived })) }
    }

    /// Completes the exchange: the whole response has arrived, but Foundation asks for credentials.
    func didReceiveChallenge() {
        apply { $0.complete(nil, cancelsTask: true, now: SessionEngine.now) }
    }

    func needsBodyAgain() {
        apply { $0.needsBodyAgain(now: SessionEngine.now) }
    }

    func didCollect(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func didComplete(_ response: HTTPURLResponse?, _ error: URLError?) {
        apply { machine in
            if let error { return machine.complete(error) }
            return machine.complete(response, now: SessionEngine.now)
        }
    }

    /// Whether the bytes of the response are reported: it is buffered and not a redirect.
    private var isReported: Bool {
        guard request.reporter != nil, request.delivery == .buffered else { return false }
        return state.withLock { $0.machine.head.map { !(300..<400).contains($0.statusCode) } ?? false }
    }

    // MARK: Steps

    private func apply(_ event: (inout SessionExchangeState) -> SessionExchangeState.Step) {
        let (step, wakesAt) = state.withLock { state -> (Step, Int64?) in
            let step = event(&state.machine)
            guard let deadline = state.machine.deadline?.at, deadline < state.wakesAt ?? .max else {
                return (step, nil)
            }
            state.wakesAt = deadline
            return (step, deadline)
        }
        if let wakesAt { engine.wake(self, at: wakesAt) }
        switch step {
        case .none: break
        case .start: engine.perform { self.makeTask() }
        case .restart:
            engine.performAfterDelegate {
                self.dropTask(cancels: true)
                self.makeTask()
            }
        case .head(let outcome): _ = answer(outcome)
        case .body(let data): pass(data)
        case .end(let outcome, let cancelsTask): end(outcome, cancelsTask: cancelsTask)
        }
    }

    private func makeTask() {
        let (isWanted, body) = state.withLock { ($0.machine.phase == .started, $0.body) }
        guard isWanted else { return }
        guard let shared = engine.session else { return fail(ExchangeFailure(.shutDown)) }
        guard let urlRequest = SessionRequest.make(request, prepared, body: body) else {
            return fail(ExchangeFailure(.invalidURL))
        }
        let session = isAlone ? engine.openSession() : shared
        let task = session.dataTask(with: urlRequest)
        engine.assign(self, to: task, of: session)
        // If the exchange has ended in the meantime, the task is dropped later on this queue.
        state.withLock { state in
            state.task = task
            state.session = session
        }
        request.reporter?.willSend(Int64(body?.count ?? 0))
        task.resume()
    }

    private func dropTask(cancels: Bool) {
        let (task, session) = state.withLock { ($0.task.take(), $0.session.take()) }
        guard let task, let session else { return }
        engine.assign(nil, to: task, of: session)
        if cancels { task.cancel() }
        if isAlone { session.finishTasksAndInvalidate() }
    }

    /// Whether the exchange has its own session.
    private var isAlone: Bool { SessionPlatform.repeatsRequests && !prepared.isIdempotent }

    /// Answers the caller, but only the first time, and returns whether this was the first call.
    private func answer(_ outcome: Outcome) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            guard !state.hasAnswered else { return (false, nil) }
            state.hasAnswered = true
            if state.continuation == nil { state.early = outcome }
            return (true, state.continuation.take())
        }
        continuation?.resume(returning: outcome)
        return isFirst
    }

    private func end(_ outcome: Outcome, cancelsTask: Bool) {
        engine.performAfterDelegate { self.dropTask(cancels: cancelsTask) }
        let (body, collector, inbound, isMultiplexed) = state.withLock { state in
            (state.body.take(), state.collector.take(), state.inbound, state.metrics.flatMap { $0.isMultiplexed })
        }
        withExtendedLifetime(body) {}
        // Detached, because cancelling runs the cancellation handlers of the sequence. They are the user's code and may wait
        // for this thread.
        if let collector { Task.detached { collector.cancel() } }
        engine.remove(self, isMultiplexed: isMultiplexed)
        // The head and the end can race. The first of them answers the caller; if that was the head, the end finishes the body.
        if answer(outcome) { return }
        switch outcome {
        case .head, .response, .complete: inbound?.finish(nil)
        case .failure(let failure): inbound?.finish(failure)
        case .cancelled: inbound?.finish(CancellationError())
        }
    }

    // MARK: A streamed body

    private func pass(_ data: Data) {
        guard let inbound else { return }
        inbound.write(data)
        inbound.flush()
        guard inbound.checkRoom() == .pause else { return }
        guard SessionPlatform.canSuspend else {
            let limit = request.options.maximumBufferedBody
            guard inbound.count > limit else { return }
            let reason = "URLSession on Linux has no backpressure, and more than \(limit) bytes are waiting to be read"
            return fail(ExchangeFailure(.unsupported, reason: reason))
        }
        let task = state.withLock { state -> URLSessionDataTask? in
            guard !state.isSuspended else { return nil }
            state.isSuspended = true
            state.machine.setPaused(true, now: SessionEngine.now)
            return state.task
        }
        task?.suspend()
    }

    /// Resumes a task that was suspended for a slow reader.
    private func resume() {
        guard SessionPlatform.canSuspend else { return }
        engine.queue.addOperation {
            let task = self.state.withLock { state -> URLSessionDataTask? in
                guard state.isSuspended else { return nil }
                state.isSuspended = false
                return state.task
            }
            self.apply {
                $0.setPaused(false, now: SessionEngine.now)
                return .none
            }
            task?.resume()
        }
    }
}
