import PiuPiuAsync

/// One exchange with a mock: reads the request, asks for the answer, and delivers it as a connection would.
///
/// Each exchange runs in its own task, which owns it. The caller refers to the exchange while it waits for the
/// response, and the transport can cancel it. `MockExchangeState` ensures that it ends once. The end releases
/// everything: it cancels the task, the producer of the request's body and the time limit, removes the exchange from
/// the transport, and then resumes the waiting caller. A closure that ignores cancellation keeps running, and the
/// exchange discards its result.
///
/// Times are nanoseconds of the transport's clock. The events of the answer and the limits take effect in the order of
/// their times: if the clock jumps past several of them at once, the result is the same as if it moved slowly.
final class MockExchange: Sendable {
    private typealias Waiter = CheckedContinuation<TransportResponse, any Error>

    /// The number of bytes to send or receive at once, as with libcurl.
    private static let pieceSize = 64 * 1024

    private struct State: Sendable {
        var phase = MockExchangeState<Waiter>()
        var timeline: ExchangeTimeline
        var worker: Task<Void, Never>?
        /// The request's body, if it is produced during the upload.
        var outbound: OutboundBody?
        /// The response's body, if it is streamed to the caller.
        var inbound: InboundBody?
        var head: ResponseHead?
        var bytesReceived = 0
        /// Whether `wake()` was called while nothing waited.
        var isWoken = false
        var sleeper: CheckedContinuation<Void, Never>?
        /// Ends the open tunnel, which ends the exchange.
        var cancelTunnel: (@Sendable () -> Void)?
    }

    let request: TransportRequest
    private let prepared: PreparedRequest
    let core: MockCore
    private let onEnd: @Sendable () -> Void
    private let beganAt: Int64
    private let state: Locked<State>

    /// Creates an exchange, which does nothing before ``start(_:)``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - prepared: The same request, after validation.
    ///   - core: The clock, the answers and the record.
    ///   - onEnd: Called once, before the caller or the reader receives the outcome.
    init(
        _ request: TransportRequest,
        _ prepared: PreparedRequest,
        core: MockCore,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.prepared = prepared
        self.core = core
        self.onEnd = onEnd
        beganAt = core.now
        var timeline = ExchangeTimeline(
            timeouts: prepared.options.limits,
            now: beganAt,
            totalDeadline: core.deadline(of: prepared, now: beganAt)
        )
        _ = timeline.start(now: beganAt, mayRepeat: true)
        state = Locked(State(timeline: timeline))
    }

    /// Starts the exchange, which resumes the continuation with the response.
    func start(_ waiter: CheckedContinuation<TransportResponse, any Error>) {
        guard state.withLock({ $0.phase.begin(waiter) }) else { return waiter.resume(throwing: CancellationError()) }
        let worker = Task { await run() }
        let isEnded = state.withLock { state in
            if !state.phase.isEnded { state.worker = worker }
            return state.phase.isEnded
        }
        if isEnded { worker.cancel() }
    }

    /// Shows the thread sanitizer that the result was created before the caller is resumed.
    func showOrder() { state.showOrder() }

    /// Ends the exchange immediately with `CancellationError`.
    func cancel() {
        if let cancelTunnel = state.withLock({ $0.cancelTunnel }) { return cancelTunnel() }
        end(.failure(CancellationError()))
    }

    enum Outcome {
        case response(TransportResponse)
        /// The streamed body is complete.
        case bodyEnd
        case failure(any Error)
    }

    func end(_ outcome: Outcome) {
        let ended = state.withLock { state -> (last: State, action: MockExchangeState<Waiter>.EndAction)? in
            let last = state
            guard let action = state.phase.end() else { return nil }
            (state.worker, state.outbound, state.inbound, state.sleeper) = (nil, nil, nil, nil)
            state.cancelTunnel = nil
            return (last, action)
        }
        guard let (last, action) = ended else { return }
        last.worker?.cancel()
        last.outbound?.close()
        last.sleeper?.resume()
        onEnd()
        switch (action, outcome) {
        case (.tell(let waiter), .response(let response)): waiter.resume(returning: response)
        case (.tell(let waiter), .failure(let error)): waiter.resume(throwing: error)
        case (.tell(let waiter), .bodyEnd): waiter.resume(throwing: CancellationError())
        case (.endBody, .failure(let error)): last.inbound?.finish(error)
        case (.endBody, _): last.inbound?.finish(nil)
        case (.tellNobody, _): break
        }
    }

    // MARK: The task

    private func run() async {
        do {
            try checkDeadline()
            let (body, isComplete) = try await receiveBody()
            // Read the clock before a test can see the request and move the clock.
            let arrivedAt = core.now
            try ifGoingOn { $0.timeline.sent(now: arrivedAt) }
            let fields = request.tunnel?.upgradeFields() ?? [:]
            let received = MockRequest(request, body: body, isBodyComplete: isComplete, adding: fields)
            core.take(received)
            let answer = try await limited { try await self.core.answer(received) }
            #if WebSockets
            if let tunnel = request.tunnel, let script = answer.webSocket {
                try await open(tunnel, script, answer, to: received, arrivedAt: arrivedAt)
                return
            }
            #endif
            end(try await give(MockMessage(answer, to: prepared), arrivedAt: arrivedAt))
        } catch {
            end(.failure(error))
        }
    }

    // MARK: The request's body

    private func receiveBody() async throws -> (Data, isComplete: Bool) {
        let reporter = request.reporter
        reporter?.willSend(prepared.kind.length)
        var body = Data()
        switch prepared.kind {
        case .withoutContent, .head: break
        case .withContent(let data):
            body = Data(data.prefix(core.bodyLimit))
            for count in stride(from: Self.pieceSize, to: body.count, by: Self.pieceSize) {
                reporter?.didSend(Int64(count))
            }
            reporter?.didSend(Int64(body.count))
        case .withStream(let resolved): return try await receive(resolved)
        }
        return (body, body.count == prepared.kind.length ?? 0)
    }

    private func receive(_ resolved: ResolvedBody) async throws -> (Data, isComplete: Bool) {
        let outbound = OutboundBody(resolved) { [weak self] in self?.wake() }
        try ifGoingOn { $0.outbound = outbound }
        var body = Data()
        var buffer = [UInt8](repeating: 0, count: Self.pieceSize)
        while body.count < core.bodyLimit {
            let room = min(buffer.count, core.bodyLimit - body.count)
            let result = buffer.withUnsafeMutableBytes { buffer in
                outbound.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
            }
            switch result {
            case .copied(let count):
                body += buffer[..<count]
                let now = core.now
                try ifGoingOn { $0.timeline.activity(now: now) }
                request.reporter?.didSend(Int64(body.count))
            case .pause: _ = try await pause(at: core.now)
            case .end: return (body, true)
            case .abort: throw outbound.error ?? CancellationError()
            }
        }
        return (body, Int64(body.count) == resolved.length)
    }

    // MARK: The answer

    private func give(_ message: MockMessage, arrivedAt: Int64) async throws -> Outcome {
        var now = arrivedAt.advancedWithoutOverflow(by: message.delay)
        try await wait(until: now)
        let metrics = ExchangeMetrics(since: beganAt, firstByte: now, total: now)
        guard let head = message.head(for: request.urlRequest, metrics) else {
            try await finish(message)
            throw failure(.connectionLost)
        }
        let firstByte = now
        try ifGoingOn { state in
            state.timeline.head(now: now)
            state.head = head
        }
        let inbound =
            prepared.delivery == .streamed
            ? try giveHead(message.response(head, to: request), message.expectedLength) { message.trailers } : nil
        // A redirect reports no progress, and the reader of a stream counts the bytes.
        let reporter = inbound != nil || (300..<400).contains(head.statusCode.rawValue) ? nil : request.reporter
        reporter?.willReceive(message.expectedLength)
        var body = Data()
        for piece in message.pieces {
            now = now.advancedWithoutOverflow(by: piece.delay)
            try await wait(until: now)
            var rest = piece.data
            while !rest.isEmpty {
                // A copy, so that its indices begin at zero, as readers expect.
                let chunk = Data(rest.prefix(Self.pieceSize))
                rest = rest.dropFirst(chunk.count)
                if let inbound {
                    now = max(now, try await write(chunk, to: inbound, at: now))
                } else {
                    let room = request.options.maximumBufferedBody - body.count
                    guard chunk.count <= room else { throw failure(.bodyTooLarge) }
                    body += chunk
                }
                try ifGoingOn { state in
                    state.timeline.activity(now: now)
                    state.bytesReceived += chunk.count
                }
                reporter?.didReceive(Int64(body.count))
            }
            inbound?.flush()
        }
        try await finish(message)
        guard inbound == nil else { return .bodyEnd }
        let lastMetrics = ExchangeMetrics(since: beganAt, firstByte: firstByte, total: now)
        let lastHead = message.head(for: request.urlRequest, lastMetrics) ?? head
        return .response(message.response(lastHead, to: request, body: body))
    }

    /// Resumes the caller with the head and a body that follows.
    private func giveHead(
        _ response: TransportResponse,
        _ expectedLength: Int64?,
        trailers: @escaping @Sendable () -> HTTPHeaderFields
    ) throws -> InboundBody {
        let inbound = InboundBody(
            resume: { [weak self] in self?.wake() },
            cancel: { [weak self] in self?.cancel() }
        )
        var response = response
        response.stream = ResponseBody(
            expectedLength: expectedLength,
            trailers: trailers,
            next: { try await inbound.next(isolation: nil) },
            cancel: { inbound.close() }
        )
        let waiter = try ifGoingOn { state in
            state.inbound = inbound
            return state.phase.giveHead()
        }
        waiter?.resume(returning: response)
        return inbound
    }

    /// Waits until a tunnel opens, within the limits, and returns what the head says about time.
    func waitForTunnel(_ delay: Duration, arrivedAt: Int64) async throws -> ExchangeMetrics {
        let now = arrivedAt.advancedWithoutOverflow(by: delay)
        try await wait(until: now)
        try ifGoingOn { $0.timeline.head(now: now) }
        return ExchangeMetrics(since: beganAt, firstByte: now, total: now)
    }

    /// Resumes the caller with the head of an open tunnel, which ends the exchange from then on.
    func giveTunnel(_ head: ResponseHead, cancel: @escaping @Sendable () -> Void) throws {
        let now = core.now
        try ifGoingOn { state in
            state.timeline.open(now: now)
            state.head = head
            state.cancelTunnel = cancel
        }
        let response = TransportResponse(head: head, body: nil, urlRequest: request.urlRequest)
        _ = try giveHead(response, nil) { [:] }
    }

    /// Writes bytes to the body once the reader is ready for them, and returns the time at which it was ready.
    private func write(_ chunk: Data, to inbound: InboundBody, at now: Int64) async throws -> Int64 {
        var now = now
        while true {
            switch inbound.checkRoom() {
            case .ready:
                inbound.write(chunk)
                return now
            case .pause: now = max(now, try await pause(at: now))
            case .closed: throw CancellationError()
            }
        }
    }

    /// Performs the ending after the last piece.
    private func finish(_ message: MockMessage) async throws {
        switch message.end {
        case .complete: return
        case .failure(let error): throw error
        case .broken(let code): throw failure(code)
        case .hang:
            try await wait(until: .max)
            throw CancellationError()
        }
    }

    // MARK: Waiting

    /// Changes the state, or throws if the exchange has ended.
    @discardableResult
    private func ifGoingOn<Result>(_ change: (inout State) -> sending Result) throws -> sending Result {
        try state.withLock { state in
            guard !state.phase.isEnded else { throw CancellationError() }
            return change(&state)
        }
    }

    private func checkDeadline() throws {
        guard let deadline = state.withLock({ $0.timeline.deadline }), deadline.at <= core.now else { return }
        throw failure(.timeout(deadline.phase))
    }

    /// Waits until a time of the answer, or fails at the limit if that comes first.
    private func wait(until time: Int64) async throws {
        if let deadline = state.withLock({ $0.timeline.deadline }), deadline.at < time {
            try await core.sleep(until: deadline.at)
            throw failure(.timeout(deadline.phase))
        }
        if time > core.now { try await core.sleep(until: time) }
    }

    /// Runs an operation within the limits.
    private func limited<Value>(_ operation: () async throws -> Value) async throws -> Value {
        var timer: Task<Void, Never>?
        if let deadline = state.withLock({ $0.timeline.deadline }) {
            timer = Task { [core, weak self] in
                guard (try? await core.sleep(until: deadline.at)) != nil, let self else { return }
                end(.failure(failure(.timeout(deadline.phase))))
            }
        }
        defer { timer?.cancel() }
        return try await operation()
    }

    /// Waits for the caller, and returns the time at which the exchange continues.
    ///
    /// This time does not count towards the server's limits.
    private func pause(at time: Int64) async throws -> Int64 {
        try ifGoingOn { $0.timeline.setPaused(true, now: time) }
        try await limited {
            await withCheckedContinuation { continuation in
                let goesOn = self.state.withLock { state in
                    if state.isWoken || state.phase.isEnded {
                        state.isWoken = false
                        return true
                    }
                    state.sleeper = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        }
        let now = core.now
        try ifGoingOn { $0.timeline.setPaused(false, now: now) }
        return now
    }

    /// Resumes the exchange if it waits in `pause(at:)`; otherwise makes the next wait return at once.
    private func wake() {
        let sleeper = state.withLock { state in
            if state.sleeper == nil { state.isWoken = true }
            return state.sleeper.take()
        }
        sleeper?.resume()
    }

    private func failure(_ code: TransportError.Code) -> TransportError {
        let (head, bytesReceived) = state.withLock { ($0.head, $0.bytesReceived) }
        return request.error(code, response: head, bytesReceived: bytesReceived)
    }
}

extension ExchangeMetrics {
    fileprivate init(since start: Int64, firstByte: Int64, total: Int64) {
        self.init(firstByte: .nanoseconds(firstByte - start), total: .nanoseconds(total - start))
    }
}

extension Int64 {
    /// Adds a duration to a time in nanoseconds; a negative duration counts as zero.
    fileprivate func advancedWithoutOverflow(by duration: Duration) -> Int64 {
        let (time, overflow) = addingReportingOverflow(duration.clampedNanoseconds)
        return overflow ? .max : time
    }
}
