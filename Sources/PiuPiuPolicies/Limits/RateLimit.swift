/// An interceptor that limits the number of requests in an interval.
///
/// It is a token bucket: a request takes a token, and tokens come back at a steady rate, up to the size of a burst. A request
/// that finds no token waits for one, in the order of arrival. If the wait would exceed the policy's limit or the deadline of
/// the call, the policy refuses the request at once with a ``LimitError``.
///
/// ```swift
/// // 10 requests a second to each server, and no more than 20 at once after a pause.
/// let limit = RateLimit(10, burst: 20, scope: .origin)
/// let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), limit])
/// ```
///
/// The limit counts the requests that are sent: retries, and every request of a redirect chain. Cancelling a waiting call ends
/// it at once with `CancellationError`; the requests behind it move up, and no token is lost.
///
/// Dispatchers that use the same object share the limit; their transports must have the same clock.
public final class RateLimit: Interceptor {
    private typealias Waiter = FirstOutcome<Bool>
    private typealias Machine = RateLimitMachine<Waiter>

    private let scope: LimitScope
    private let maximumWaiting: Int
    private let maximumWait: Duration?
    private let state: Locked<Machine>

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - count: The number of requests in an interval; less than 1 counts as 1.
    ///   - interval: The interval, one second by default. Zero or less means no limit, and more than 1,000 days counts as
    ///     1,000 days.
    ///   - burst: How many requests may be sent at once after a pause, from 1 to 1,000,000; `count` by default. A server that
    ///     counts requests in an interval can see `count + burst` of them in one. For a server that does not tolerate this,
    ///     pass 1, which spaces all requests evenly.
    ///   - scope: The requests that share the limit; all by default.
    ///   - maximumWaiting: The maximum number of waiting requests per key; 1,000 by default. With 0, every request that would
    ///     have to wait is refused.
    ///   - maximumWait: How long a request may wait; `nil`, the default, for no limit except the deadline of the call.
    public init(
        _ count: Int,
        per interval: Duration = .seconds(1),
        burst: Int? = nil,
        scope: LimitScope = .all,
        maximumWaiting: Int = 1000,
        maximumWait: Duration? = nil
    ) {
        self.scope = scope
        self.maximumWaiting = max(0, maximumWaiting)
        self.maximumWait = maximumWait
        state = Locked(
            Machine(
                count: count,
                interval: interval,
                burst: burst ?? count,
                maximumWaiting: maximumWaiting,
                maximumWait: maximumWait
            )
        )
    }

    /// `true`: every request that is sent takes a token.
    public var interceptsEachHop: Bool { true }

    /// `false`: the policy treats all callers alike.
    public var distinguishesCallers: Bool { false }

    /// Waits for a token and sends the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response of `next`.
    /// - Throws: ``LimitError`` if the request would have to wait too long, `CancellationError` if the task is cancelled
    ///   during the wait, and the errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard let key = scope.key(of: request) else { return try await next(request) }
        let now = next.clock.instant
        let decision = state.withLock { $0.acquire(key, at: now, deadline: request.deadline, waiter: Waiter()) }
        if case .proceed = decision { return try await next(request) }
        return try await next.waiting(for: request) {
            try await self.wait(decision, key, request, next.clock)
            return try await next(request)
        }
    }

    /// The number of waiting requests.
    var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Waits for the request's turn.
    ///
    /// It is a separate function to keep the frame of requests that do not wait small.
    private func wait(
        _ decision: Machine.Decision,
        _ key: String,
        _ request: TransportRequest,
        _ clock: TransferClock
    ) async throws {
        switch decision {
        case .proceed: break
        case .refuse(let reason, let wait):
            let bound: String? =
                switch reason {
                case .queueFull: "\(maximumWaiting)"
                case .deadline: nil
                default: maximumWait.map { ErrorText.text($0) }
                }
            throw LimitError(.rate, reason, request, wait: wait, bound: bound)
        case .lead(let id, let until): try await lead(id, key, clock, from: until)
        case .wait(let id, let waiter):
            let leads = await withTaskCancellationHandler {
                await waiter.value()
            } onCancel: {
                cancel(id, key)
                waiter.conclude(false)
            }
            guard leads else { throw CancellationError() }
            try await lead(id, key, clock, from: nil)
        }
    }

    /// Sleeps until the token of the first request in line is due, and takes it.
    private func lead(_ id: Int, _ key: String, _ clock: TransferClock, from start: ContinuousClock.Instant?)
        async throws
    {
        var until = start
        while true {
            do {
                if let until { try await clock.sleep(until: until) }
                try Task.checkCancellation()
            } catch {
                cancel(id, key)
                throw error
            }
            switch state.withLock({ $0.advance(id, of: key, at: clock.instant) }) {
            case .sleep(let later): until = later
            case .cancelled: throw CancellationError()
            case .proceed(let next):
                next?.conclude(true)
                return
            }
        }
    }

    private func cancel(_ id: Int, _ key: String) {
        let next = state.withLock { $0.cancel(id, of: key) }
        next?.conclude(true)
    }
}

extension RateLimit: Redacted {
    /// The scope, without the keys.
    package var shown: KeyValuePairs<String, Any> { ["scope": scope] }
}

extension RateLimit: PromptInterceptor {
    /// `false` with a closure of the user, which may take its time.
    package var isPrompt: Bool { !scope.runsCodeOfUsers }
}
