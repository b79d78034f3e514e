/// An interceptor that stops sending requests to a failing server, and tries again after a while.
///
/// The circuit of an origin is *closed* at first, and requests pass. If enough of the recent calls failed, it *opens*: the
/// circuit breaker refuses requests at once with a ``CircuitBreaker/OpenError``, which relieves the server and saves the
/// caller's time. After a while, the circuit is *half-open*: a few requests pass as probes. If they all succeed, the circuit
/// closes; if one fails, it opens again, for longer.
///
/// ```swift
/// let breaker = CircuitBreaker(failureRate: 0.5, minimumCalls: 20, window: .seconds(10), openTime: .seconds(5))
/// let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), breaker])
/// do {
///     let response = try await dispatcher.data(for: request)
///     print(response)
/// } catch let error as CircuitBreaker.OpenError {
///     print("\(error.origin) is down, try again in \(error.retryAfter)")
/// }
/// ```
///
/// Every request that is sent counts: retries, and every request of a redirect chain. A response counts when its head arrives,
/// even if the body is streamed. ``Outcome`` defines the failures. The circuit breaker ignores the result of a call that began
/// before the last change of state. It gives up probes that take longer than the circuit was open, and sends others.
///
/// Time limits count as failures: `connect`, `head`, `idle`, `total` and ``RequestOptions/deadline``, and the `attemptTimeout`
/// of a ``RetryPolicy``; `queue` does not. A cancellation does not count: it says nothing about the server if a caller cancels,
/// or an interceptor in front gives up.
///
/// The circuit breaker uses a rate, not a number of consecutive failures. `CircuitBreaker(failureRate: 1, minimumCalls: 5)`
/// comes close: it opens after five failures if no call within the last ten seconds, the `window`, succeeded.
public final class CircuitBreaker: Interceptor {
    private let scope: LimitScope
    private let classify: Classification?
    private let onStateChange: StateChangeHandler?
    private let core: Locked<Core>

    /// A function that decides what the result of a call says about the server.
    public typealias Classification = @Sendable (_ result: Result<TransportResponse, any Error>) -> Outcome
    /// A function that handles a change of a circuit's state.
    public typealias StateChangeHandler = @Sendable (_ change: StateChange) -> Void

    /// Creates a circuit breaker.
    ///
    /// - Parameters:
    ///   - failureRate: The fraction of failed calls at which the circuit opens, from 0 to 1; 0.5 by default. Other values are
    ///     limited to that range, and `nan` counts as 1.
    ///   - minimumCalls: The number of calls in the window without which the circuit does not open; 20 by default, at least 1.
    ///   - window: The duration for which calls count; 10 seconds by default, at least 10 milliseconds.
    ///   - openTime: The time for which the circuit is open; 5 seconds by default.
    ///   - growth: The factor by which that time grows each time a probe fails; 2 by default, 1 for no growth.
    ///   - longestOpenTime: The maximum time for which the circuit is open, without jitter; a minute by default, and at most
    ///     1,000 days.
    ///   - jitter: The maximum fraction by which the time is extended at random, from 0 to 1, so that many clients do not try
    ///     again at the same moment; 0.1 by default.
    ///   - probes: The number of requests that pass while the circuit is half-open, and that must succeed; 3 by default, at
    ///     least 1.
    ///   - scope: The requests that share a circuit; those to the same origin by default.
    ///   - classify: Decides what a result says about the server; ``Outcome/init(_:)`` by default.
    ///   - onStateChange: Called after each change, in order and never concurrently, by the task of a call.
    public init(
        failureRate: Double = 0.5,
        minimumCalls: Int = 20,
        window: Duration = .seconds(10),
        openTime: Duration = .seconds(5),
        growth: Double = 2,
        longestOpenTime: Duration = .seconds(60),
        jitter: Double = 0.1,
        probes: Int = 3,
        scope: LimitScope = .origin,
        classify: Classification? = nil,
        onStateChange: StateChangeHandler? = nil
    ) {
        self.scope = scope
        self.classify = classify
        self.onStateChange = onStateChange
        let rules = CircuitBreakerMachine.Rules(
            failureRate: failureRate,
            minimumCalls: minimumCalls,
            window: window,
            openTime: openTime,
            longestOpenTime: longestOpenTime,
            growth: growth,
            jitter: jitter,
            probes: probes
        )
        core = Locked(Core(CircuitBreakerMachine(rules)))
    }

    /// `true`: the response to every request that is sent counts.
    public var interceptsEachHop: Bool { true }

    /// `false`: the policy treats all callers alike.
    public var distinguishesCallers: Bool { false }

    /// Returns the state of the circuit that a request belongs to, for a health check.
    ///
    /// An open circuit becomes half-open when the next request is sent, not when its open time ends.
    ///
    /// - Parameter urlRequest: A request.
    /// - Returns: The state; `closed` if the request belongs to no circuit.
    public func state(for urlRequest: URLRequest) -> State {
        guard let key = scope.key(of: TransportRequest(urlRequest)) else { return .closed }
        return core.withLock { $0.machine.state(of: key) }
    }

    /// Sends a request unless the circuit is open, and counts the result.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response of `next`.
    /// - Throws: ``OpenError`` if the circuit is open, and the errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard let key = scope.key(of: request) else { return try await next(request) }
        let clock = next.clock
        let now = clock.instant
        let (decision, delivers) = core.withLock { core in
            let decision = core.machine.acquire(key, at: now)
            guard case .proceed(_, let transition?) = decision else { return (decision, false) }
            return (decision, begin(transition, key, request, &core))
        }
        guard case .proceed(let generation, _) = decision else { throw Self.refusal(decision, request) }
        if delivers { deliverChanges() }
        do {
            let response = try await next(request)
            record(.success(response), key, generation, request, clock)
            return response
        } catch {
            record(.failure(request.cause(of: error)), key, generation, request, clock)
            throw error
        }
    }

    private func record(
        _ result: Result<TransportResponse, any Error>,
        _ key: String,
        _ generation: Int,
        _ request: TransportRequest,
        _ clock: TransferClock
    ) {
        let outcome = classify?(result) ?? Outcome(result)
        let isFailure: Bool? = outcome == .ignored ? nil : outcome == .failure
        let now = clock.instant
        let delivers = core.withLock { core in
            let transition = core.machine.record(
                key,
                generation: generation,
                isFailure: isFailure,
                at: now,
                random: .random(in: 0..<1)
            )
            return transition.map { begin($0, key, request, &core) } ?? false
        }
        if delivers { deliverChanges() }
    }

    private static func refusal(_ decision: CircuitBreakerMachine.Decision, _ request: TransportRequest) -> OpenError {
        var retryAfter = Duration.zero
        if case .refuse(let time) = decision { retryAfter = time }
        return OpenError(
            origin: LimitScope.origin(of: request) ?? "",
            retryAfter: retryAfter,
            target: ErrorText.target(request.urlRequest)
        )
    }

    /// Queues a change under the lock, which keeps the order of the changes.
    private func begin(
        _ transition: CircuitBreakerMachine.Transition,
        _ key: String,
        _ request: TransportRequest,
        _ core: inout Core
    ) -> Bool {
        guard onStateChange != nil else { return false }
        let origin = LimitScope.origin(of: request) ?? ""
        return core.begin(StateChange(key: key, origin: origin, from: transition.from, to: transition.to))
    }

    private func deliverChanges() {
        while let change = core.withLock({ $0.next() }) { onStateChange?(change) }
    }
}

extension CircuitBreaker: PromptInterceptor {
    /// `false` with closures of the user, which may take their time.
    package var isPrompt: Bool { classify == nil && onStateChange == nil && !scope.runsCodeOfUsers }
}

extension CircuitBreaker: Redacted {
    /// The scope, without the keys.
    package var shown: KeyValuePairs<String, Any> { ["scope": scope] }
}
