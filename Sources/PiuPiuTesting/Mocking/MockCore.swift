import PiuPiuAsync

/// The state that a mock transport shares with its exchanges: the clock, the answers, the record and the lifecycle.
///
/// Exchanges retain the core and not the transport, so that releasing the transport cancels them.
final class MockCore: Sendable {
    private typealias Lifecycle = DispatcherLifecycle<CheckedContinuation<Void, Never>, @Sendable () -> Void>
    private typealias Record = MockRecord<CheckedContinuation<[MockRequest], any Error>>

    let clock: TransferClock
    let bodyLimit: Int
    /// Wraps the function, because each read of a function from generic memory would add another reabstraction thunk.
    private struct Answerer {
        let answer: MockTransport.Answer
    }

    private let answerer: Locked<Answerer>
    private let lifecycle = Locked(Lifecycle())
    private let record = Locked(Record())
    #if WebSockets
    let webSockets = Locked<[MockWebSocket]>([])
    #endif

    init(clock: any Clock<Duration>, bodyLimit: Int, answer: @escaping MockTransport.Answer) {
        self.clock = (clock as? ManualClock).map { TransferClock($0) } ?? TransferClock(clock)
        self.bodyLimit = max(0, bodyLimit)
        answerer = Locked(Answerer(answer: answer))
    }

    // MARK: Time

    /// The current time, in nanoseconds since the transport was created.
    var now: Int64 { clock.now().clampedNanoseconds }

    /// Sleeps until a time, limited to the range of a clock.
    func sleep(until time: Int64) async throws {
        try await clock.sleepUntil(.nanoseconds(min(time, 1_000_000_000_000_000_000)))
    }

    /// The deadline of the whole call; `nil` if there is none.
    func deadline(of request: PreparedRequest, now: Int64) -> Int64? {
        let rest = request.deadline.map { clock.instant.duration(to: $0) } ?? request.options.timeouts.total
        guard let rest else { return nil }
        let (deadline, overflow) = now.addingReportingOverflow(rest.clampedNanoseconds)
        return overflow ? .max : deadline
    }

    // MARK: Answers

    /// Asks for the answer to a request.
    func answer(_ request: MockRequest) async throws -> MockAnswer {
        try await answerer.withLock({ $0 }).answer(request)
    }

    /// Replaces the function that answers later requests.
    func setAnswer(_ answer: @escaping MockTransport.Answer) {
        let replaced = answerer.withLock { current in
            defer { current = Answerer(answer: answer) }
            return current
        }
        withExtendedLifetime(replaced) {}
    }

    // MARK: Exchanges

    /// Runs an exchange.
    func send(_ request: TransportRequest, _ prepared: PreparedRequest) async throws -> TransportResponse {
        guard lifecycle.withLock({ $0.begin() }) else {
            throw request.error(.shutDown)
        }
        let id = Locked<Int?>(nil)
        let exchange = MockExchange(request, prepared, core: self) { self.end(id.withLock { $0 }) }
        let cancellation = lifecycle.withLock { $0.register { exchange.cancel() } }
        id.withLock { $0 = cancellation }
        if cancellation == nil { exchange.cancel() }
        defer { exchange.showOrder() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { exchange.start($0) }
        } onCancel: {
            exchange.cancel()
        }
    }

    private func end(_ id: Int?) {
        let (operation, waiters) = lifecycle.withLock { lifecycle in
            (id.flatMap { lifecycle.forget($0) }, lifecycle.end())
        }
        withExtendedLifetime(operation) {}
        guard let waiters else { return }
        closeRecord()
        for waiter in waiters { waiter.resume() }
    }

    /// The number of exchanges in flight.
    var exchangeCount: Int { lifecycle.withLock { $0.callCount } }

    /// Refuses new exchanges and waits for those in flight.
    func shutdown() async {
        if lifecycle.withLock({ $0.close() }) { closeRecord() }
        await withCheckedContinuation { continuation in
            if lifecycle.withLock({ $0.wait(continuation) }) { continuation.resume() }
        }
    }

    /// Refuses new exchanges and cancels those in flight.
    func invalidateAndCancel() {
        let cancellations = lifecycle.withLock { $0.invalidate() }
        for cancel in cancellations { cancel() }
        closeRecord()
    }

    // MARK: The record

    /// The requests received so far.
    var requests: [MockRequest] { record.withLock { $0.requests } }

    /// Records a request and resumes the tasks that wait for it.
    func take(_ request: MockRequest) {
        let (requests, waiters) = record.withLock { record in
            let waiters = record.append(request)
            // A second reference would make the next request copy the whole array.
            return (waiters.isEmpty ? [] : record.requests, waiters)
        }
        for waiter in waiters { waiter.resume(returning: requests) }
    }

    /// Waits for requests.
    func requests(atLeast count: Int) async throws -> [MockRequest] {
        let id = record.withLock { $0.makeID() }
        defer { record.showOrder() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                switch record.withLock({ $0.wait(id, for: count, waiter) }) {
                case .wait: break
                case .enough(let requests): waiter.resume(returning: requests)
                case .cancelled: waiter.resume(throwing: CancellationError())
                case .closed: waiter.resume(throwing: TransportError(.shutDown))
                }
            }
        } onCancel: {
            record.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
        }
    }

    private func closeRecord() {
        for waiter in record.withLock({ $0.close() }) { waiter.resume(throwing: TransportError(.shutDown)) }
    }
}
