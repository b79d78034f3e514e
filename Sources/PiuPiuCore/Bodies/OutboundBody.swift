/// One attempt to send a body: the task that produces the bytes, and the buffer between it and the transport.
///
/// The transport pulls. Its first ``read(into:)`` starts the producer, so a stream stays unused if no connection can
/// be opened. ``close()`` ends the producer; it is called when the exchange is over, regardless of the outcome.
///
///     created ── read ──▶ producing ── the last byte, or a failure ──▶ done
///        └─────────────────┴── close ──▶ closed
///
/// The task that produces a stream is created together with the body, on the caller's task, and inherits its priority and
/// task-local values. It waits until it is started. None of the caller's code runs on the reading thread: neither the
/// sequence nor the cancellation handlers of its task.
package final class OutboundBody: Sendable {
    private typealias Waiter = CheckedContinuation<Bool, Never>

    /// The number of unsent bytes at which the producer has to wait.
    static let highWater = 256 * 1024

    private struct State {
        var buffer: OutboundBuffer<Waiter>
        var producer: Task<Void, Never>?
        var error: (any Error)?
        var hasStarted = false
        var isClosed = false
    }

    package enum ReadResult {
        case copied(Int)
        /// Nothing is available yet; the transport is woken when that changes.
        case pause
        case end
        /// The body cannot be completed; ``OutboundBody/error`` has the reason.
        case abort
    }

    private let body: ResolvedBody
    /// The pass of the body's tap; `nil` without a tap.
    private let pass: Int?
    /// The trailers of this attempt; `nil` if there are none.
    private let computation: RequestTrailers.Computation?
    /// Notifies the transport that there is something to read, or that there never will be.
    private let wake: @Sendable () -> Void
    private let state: Locked<State>
    /// Starts the producer of a stream with its body, or ends it with `nil`; `nil` for files.
    private let start: FirstOutcome<OutboundBody?>?

    package init(_ body: ResolvedBody, wake: @escaping @Sendable () -> Void) {
        self.body = body
        pass = body.tap?.begin(length: body.sourceLength)
        computation = body.trailers?.begin()
        // Files are read in large pieces; the buffer holds two of them.
        let highWater = body.isRepeatable ? 2 * Self.highWater : Self.highWater
        state = Locked(State(buffer: OutboundBuffer(highWater: highWater)))
        self.wake = wake
        guard case .stream(let source) = body.source else {
            start = nil
            return
        }
        let start = FirstOutcome<OutboundBody?>()
        self.start = start
        // Before the start, the task does not retain the body, which may be dropped unsent.
        let producer = Task.besideCaller {
            if let body = await start.value() { await body.run(source) }
        }
        state.withLock { $0.producer = producer }
    }

    deinit {
        start?.conclude(nil)
    }

    // MARK: The transport

    /// The reason why the body cannot be completed; `nil` if there is none.
    package var error: (any Error)? { state.withLock { $0.error } }

    /// The trailer lines, after the end of the body was read.
    package var trailers: [String] { state.withLock { $0.buffer.trailers } }

    /// Whether reading has started, which uses up a stream.
    package var hasStarted: Bool { state.withLock { $0.hasStarted } }

    /// Copies the next bytes.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        let (action, used, starts) = state.withLock { state in
            // Do not start after the end of the exchange, which would consume a stream for nothing.
            let starts = !state.hasStarted && !state.isClosed
            if starts { state.hasStarted = true }
            return (state.buffer.read(into: buffer), state.buffer.takeUsed(), starts)
        }
        withExtendedLifetime(used) {}
        if starts { startProducing() }
        switch action {
        case .copied(let count, let waiter):
            waiter?.resume(returning: true)
            if let pass { body.tap?.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), in: pass) }
            return .copied(count)
        case .pause: return .pause
        case .end:
            if let pass { body.tap?.finish(pass) }
            return .end
        case .abort: return .abort
        }
    }

    /// Ends the producer.
    package func close() {
        let (waiter, used, producer) = state.withLock { state in
            state.isClosed = true
            return (state.buffer.close(), state.buffer.takeUsed(), state.producer.take())
        }
        withExtendedLifetime(used) {}
        if let producer, let start, !start.conclude(nil) {
            // Cancelling runs the cancellation handlers of the caller's code. It comes first, because a resumed producer could
            // otherwise end as if nothing had happened.
            Task.detached {
                producer.cancel()
                waiter?.resume(returning: false)
            }
        } else {
            producer?.cancel()
            waiter?.resume(returning: false)
        }
    }

    // MARK: The producer

    private func startProducing() {
        let reader: SegmentReader
        switch body.source {
        case .segments(let segments, let isCompressed):
            reader = SegmentReader(segments, isCompressed: isCompressed, outlet: self)
        case .stream:
            start?.conclude(self)
            return
        }
        let task = Task.besideCaller { await reader.run() }
        let isClosed = state.withLock { state in
            state.producer = state.isClosed ? nil : task
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    private func run(_ source: OneShot) async {
        guard let iteration = source.take() else { return fail(TransferError(.bodyNotRepeatable)) }
        var rest = body.sourceLength
        var held: Data?
        do {
            try await iteration { chunk in
                guard let remaining = rest else { return await self.write(chunk) }
                guard Int64(chunk.count) <= remaining else { throw TransferError.mismatch("more") }
                guard !chunk.isEmpty else { return true }
                rest = remaining - Int64(chunk.count)
                guard rest == 0 else { return await self.write(chunk) }
                // These bytes complete the message for the server; hold them back until the stream has ended too.
                held = chunk
                return true
            }
            guard rest ?? 0 == 0 else { throw TransferError.mismatch("fewer") }
            if let held { _ = await write(held) }
            await finish()
        } catch {
            fail(error)
        }
    }

    /// Adds bytes, waits if the buffer is full, and returns whether the exchange continues.
    func write(_ data: Data) async -> Bool {
        if !data.isEmpty { computation?.observe?(data) }
        return await withCheckedContinuation { waiter in
            switch state.withLock({ $0.buffer.write(data, waiter) }) {
            case .proceed(let wakes):
                if wakes { wake() }
                waiter.resume(returning: true)
            case .wait(let wakes):
                if wakes { wake() }
            case .closed:
                waiter.resume(returning: false)
            }
        }
    }

    /// Marks the end of the body, after its trailers were computed.
    ///
    /// The caller's code runs on the cooperative pool, never on a thread for files, and before the transport learns of the end.
    func finish() async {
        guard let computation, let trailers = body.trailers else { return end(with: []) }
        do {
            end(with: try trailers.lines(try await Self.compute(computation)))
        } catch {
            fail(error)
        }
    }

    @concurrent
    private static func compute(_ computation: RequestTrailers.Computation) async throws -> HTTPHeaderFields {
        try await computation.finish()
    }

    private func end(with trailers: [String]) {
        if state.withLock({ $0.buffer.finish(trailers: trailers) }) { wake() }
    }

    /// Ends the body with an error.
    func fail(_ error: any Error) {
        let isFirst = state.withLock { state in
            guard state.buffer.fail() else { return false }
            state.error = error
            return true
        }
        if isFirst { wake() }
    }
}
