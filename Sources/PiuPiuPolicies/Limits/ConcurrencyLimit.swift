/// An interceptor that limits the number of requests in flight.
///
/// Requests beyond the limit wait. The next is the oldest of the highest task priority; after seven consecutive permits have
/// passed over the request that has waited longest, that one is next. A low priority therefore waits longer, but not forever.
///
/// ```swift
/// // At most 20 requests to each server; a request waits for at most two seconds.
/// let limit = ConcurrencyLimit(20, scope: .origin, maximumWait: .seconds(2))
/// let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), limit])
/// ```
///
/// A request holds its permit until the response is complete: for a stream or a download, until the body was read to its end or
/// dropped. A stream that is not read keeps its permit. A call that makes another call through the same limit before it ends
/// can deadlock.
///
/// The limit counts the requests that are sent: retries, and every request of a redirect chain. Cancelling a waiting call ends
/// it at once with `CancellationError`.
///
/// Dispatchers that use the same object share the limit; their transports must have the same clock.
public final class ConcurrencyLimit: Interceptor {
    private enum Outcome: Sendable {
        case granted, cancelled, expired
    }

    private typealias Waiter = FirstOutcome<Outcome>

    private let scope: LimitScope
    private let maximumWaiting: Int
    private let maximumWait: Duration?
    private let isAdaptive: Bool
    private let priority: (@Sendable (TransportRequest) -> TaskPriority)?
    private let state: Locked<ConcurrencyLimitMachine<Waiter>>

    /// Creates a fixed limit.
    ///
    /// - Parameters:
    ///   - limit: The number of requests in flight for each key; less than 1 counts as 1.
    ///   - scope: The requests that share the limit; all by default.
    ///   - maximumWaiting: The maximum number of waiting requests per key; 1,000 by default. With 0, every request that would
    ///     have to wait is refused.
    ///   - maximumWait: How long a request may wait; `nil`, the default, for no limit except the deadline of the call. With
    ///     zero or less, every request that would have to wait is refused; more than thirty years is no limit.
    ///   - priority: Returns the priority of a request; by default that of its task. It runs for every request.
    public convenience init(
        _ limit: Int,
        scope: LimitScope = .all,
        maximumWaiting: Int = 1000,
        maximumWait: Duration? = nil,
        priority: (@Sendable (_ request: TransportRequest) -> TaskPriority)? = nil
    ) {
        self.init(
            ConcurrencyLimitMachine(limit: limit, maximumWaiting: maximumWaiting),
            scope: scope,
            maximumWaiting: maximumWaiting,
            maximumWait: maximumWait,
            isAdaptive: false,
            priority: priority
        )
    }

    /// Creates a limit that adapts to the latency of the server.
    ///
    /// The limit grows while requests need it and the response heads arrive as fast as on an idle server. It shrinks when they
    /// take more than about twice as long, because requests then queue in the server, and when the server responds with 429 or
    /// 503 or does not respond in time. Each key has its own limit.
    ///
    /// ```swift
    /// let limit = ConcurrencyLimit(adapting: 1...200, scope: .origin, maximumWait: .seconds(1))
    /// ```
    ///
    /// - Parameters:
    ///   - range: The lowest and the highest limit, from 1 to 1,000,000.
    ///   - initial: The initial limit; 20 by default.
    ///   - scope: The requests that share the limit; those to the same origin by default.
    ///   - maximumWaiting: The maximum number of waiting requests per key; 1,000 by default.
    ///   - maximumWait: How long a request may wait, as for a fixed limit.
    ///   - priority: Returns the priority of a request; by default that of its task.
    public convenience init(
        adapting range: ClosedRange<Int>,
        initial: Int = 20,
        scope: LimitScope = .origin,
        maximumWaiting: Int = 1000,
        maximumWait: Duration? = nil,
        priority: (@Sendable (_ request: TransportRequest) -> TaskPriority)? = nil
    ) {
        self.init(
            ConcurrencyLimitMachine(LatencyGradient(range, initial: initial), maximumWaiting: maximumWaiting),
            scope: scope,
            maximumWaiting: maximumWaiting,
            maximumWait: maximumWait,
            isAdaptive: true,
            priority: priority
        )
    }

    private init(
        _ machine: ConcurrencyLimitMachine<Waiter>,
        scope: LimitScope,
        maximumWaiting: Int,
        maximumWait: Duration?,
        isAdaptive: Bool,
        priority: (@Sendable (TransportRequest) -> TaskPriority)?
    ) {
        self.scope = scope
        self.maximumWaiting = max(0, maximumWaiting)
        self.maximumWait = maximumWait.flatMap { $0 < .seconds(1_000_000_000) ? max(.zero, $0) : nil }
        self.isAdaptive = isAdaptive
        self.priority = priority
        state = Locked(machine)
    }

    /// `true`: every request that is sent needs a permit.
    public var interceptsEachHop: Bool { true }

    /// `false`: the policy treats all callers alike.
    public var distinguishesCallers: Bool { false }

    /// Waits for a permit, sends the request, and holds the permit until the response is complete.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response of `next`.
    /// - Throws: ``LimitError`` if too many requests wait or the wait is too long, `CancellationError` if the task is
    ///   cancelled during the wait, and the errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard let key = scope.key(of: request) else { return try await next(request) }
        let priority = priority?(request) ?? Task.currentPriority
        let now = next.clock.instant
        let decision = state.withLock { $0.acquire(key, priority: priority.rawValue, at: now, waiter: Waiter()) }
        switch decision {
        case .proceed: return try await send(request, next, key)
        case .wait(let id, let waiter):
            return try await next.waiting(for: request) {
                try await self.wait(id, waiter, key, request, next.clock, from: now)
                return try await self.send(request, next, key)
            }
        case .refuse:
            throw LimitError(.concurrency, .queueFull, request, wait: nil, bound: "\(maximumWaiting)")
        }
    }

    /// The number of waiting requests.
    var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Returns the number of permits in use and the limit of a key.
    func usage(of key: String = "") -> (inFlight: Int, limit: Int) { state.withLock { $0.usage(of: key) } }

    private func wait(
        _ id: Int,
        _ waiter: Waiter,
        _ key: String,
        _ request: TransportRequest,
        _ clock: TransferClock,
        from start: ContinuousClock.Instant
    ) async throws {
        let timer = maximumWait.map { maximumWait in
            Task {
                try await clock.sleep(until: start + maximumWait)
                cancel(id, .expired)
            }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            cancel(id, .cancelled)
        }
        switch outcome {
        case .granted:
            guard Task.isCancelled else { return }
            release(key)
            throw CancellationError()
        case .cancelled: throw CancellationError()
        case .expired:
            let bound = maximumWait.map { ErrorText.text($0) }
            throw LimitError(.concurrency, .waitTooLong, request, wait: maximumWait, bound: bound)
        }
    }

    /// Sends a request that has a permit, and releases the permit once.
    private func send(
        _ request: TransportRequest,
        _ next: InterceptorChain,
        _ key: String
    ) async throws -> TransportResponse {
        let start = isAdaptive ? next.clock.instant : nil
        do {
            let response = try await next(request)
            if let start { record(key, start.duration(to: next.clock.instant), response.head.statusCode) }
            if let stream = response.stream {
                stream.onEnd { _ in self.release(key) }
            } else {
                release(key)
            }
            return response
        } catch {
            if let start, (request.cause(of: error) as? TransportError)?.code.timeoutPhase != nil {
                record(key, start.duration(to: next.clock.instant), nil)
            }
            release(key)
            throw error
        }
    }

    private func record(_ key: String, _ latency: Duration, _ statusCode: StatusCode?) {
        let isOverloaded = statusCode.map { $0 == .tooManyRequests || $0 == .serviceUnavailable } ?? true
        let granted = state.withLock { $0.record(key, latency: latency, isOverloaded: isOverloaded) }
        for waiter in granted { waiter.conclude(.granted) }
    }

    private func release(_ key: String) {
        let granted = state.withLock { $0.release(key) }
        for waiter in granted { waiter.conclude(.granted) }
    }

    private func cancel(_ id: Int, _ outcome: Outcome) {
        let waiter = state.withLock { $0.cancel(id) }
        waiter?.conclude(outcome)
    }
}

extension ConcurrencyLimit: PromptInterceptor {
    /// `false` with a closure of the user, which may take its time.
    package var isPrompt: Bool { priority == nil && !scope.runsCodeOfUsers }
}

extension ConcurrencyLimit: Redacted {
    /// The scope, without the keys.
    package var shown: KeyValuePairs<String, Any> { ["scope": scope, "isAdaptive": isAdaptive] }
}
