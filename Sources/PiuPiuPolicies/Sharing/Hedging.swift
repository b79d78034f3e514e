/// Sends a second attempt of a request that takes unusually long, and returns the first good response.
///
/// A few requests to each service are much slower than the others: they meet a full queue, a lost packet or a pause of the
/// server. A second attempt, after the time in which 95 % of the requests are answered, makes these rare, for about 5 % more
/// requests:
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(interceptors: [Hedging(after: .percentile(0.95), methods: [.get])])
/// ```
///
/// ## Which requests are hedged
///
/// `GET`, `HEAD` and `OPTIONS` by default; `PUT` and `DELETE` if you name them. A request is sent once if its body is not in
/// memory or is larger than `maximumBody`. There is no second attempt before enough latencies are known, after the call's
/// deadline, or without a token of the budget. Only the first attempt reports its progress.
///
/// ## The result
///
/// The first good response wins: the head decides for a stream, the whole response otherwise. Every status is good except 408,
/// 425, 429 and 5xx. The policy cancels the other attempt and discards its response. If one attempt fails while the other is
/// running, the other decides; if both fail, the call ends like the first attempt. A bad response whose body is a stream is
/// closed at once, so that the other attempt can have its connection and its permit; if both then fail, the call ends like the
/// second attempt. A first attempt that fails before the delay is not hedged, because this is the task of ``RetryPolicy``.
///
/// ``Response/attempts`` contains the second attempt with the cause `hedge`, whichever attempt won. Cancelling the call cancels
/// both. The call returns when the losing attempt has ended; interceptors after this one that ignore cancellation delay it.
///
/// With HTTP/2, both attempts may use the same connection. Hedging then helps against slow servers, but not against a slow
/// connection.
public final class Hedging: Interceptor {
    private typealias Outcome = Result<TransportResponse, any Error>

    private enum Event: Sendable {
        case due
        case notDue
        case end(HedgeRace<Outcome>.Attempt, Outcome, at: ContinuousClock.Instant)
    }

    private let methods: Set<HTTPMethod>
    private let maximumBody: Int
    private let budget: RetryBudget
    private let key: (@Sendable (URLRequest) -> String?)?
    private let machine: Locked<HedgingMachine>

    /// `false`: the policy treats all callers alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - delay: How long to wait for the first attempt; the 95th percentile of the observed latencies by default.
    ///   - methods: The methods that are hedged. `POST`, `PATCH` and `CONNECT` are never hedged, even if they are named: a
    ///     server would execute the request twice.
    ///   - maximumBody: The largest body to send twice, in bytes; 64 KiB by default. A negative value counts as zero.
    ///   - budget: The budget for second attempts. Share it with the ``RetryPolicy`` of the dispatcher. It records a call once,
    ///     whichever policy is first.
    ///   - key: Returns the destination whose latency is observed: for instance the origin with the route. A request without a
    ///     key, or with one longer than 1 KiB, is not hedged. By default, each origin is a destination. The policy remembers
    ///     the 256 destinations that were used last.
    public init(
        after delay: Delay = .percentile(),
        methods: Set<HTTPMethod> = [.get, .head, .options],
        maximumBody: Int = 64 * 1024,
        budget: RetryBudget = RetryBudget(),
        key: (@Sendable (_ request: URLRequest) -> String?)? = nil
    ) {
        self.methods = methods.subtracting([.post, .patch, .connect])
        self.maximumBody = max(0, maximumBody)
        self.budget = budget
        self.key = key
        machine = Locked(HedgingMachine(delay: delay))
    }

    /// Sends a request, and sends it again if it takes too long.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The first good response.
    /// - Throws: The error of the first attempt if neither has a good response; `CancellationError` if the call is cancelled.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard isRepeatable(request), let key = destination(of: request) else {
            return try await next(request)
        }
        // Only the first attempt counts as a call.
        if request.call.attempt.number == 1 { budget.depositUnlessRetried() }
        let clock = next.clock
        let start = clock.instant
        if let delay = machine.withLock({ $0.delay(for: key, at: start) }) {
            let due = start.advanced(by: delay)
            if due < request.deadline ?? due.advanced(by: .seconds(1)) {
                return try await next.waiting(for: request) {
                    try await self.race(request, next, key, start: start, due: due)
                }
            }
        }
        let response = try await next(request)
        if Self.isGood(.success(response)) { record(for: key, from: start, to: clock.instant) }
        return response
    }

    /// Runs the first attempt, and after the delay the second.
    private func race(
        _ request: TransportRequest,
        _ next: InterceptorChain,
        _ key: String,
        start: ContinuousClock.Instant,
        due: ContinuousClock.Instant
    ) async throws -> TransportResponse {
        let clock = next.clock
        let hedge = Self.hedge(of: request)
        let (end, isHedged) = await withTaskGroup(of: Event.self) { group in
            var race = HedgeRace<Outcome>()
            group.addTask { await Self.attempt(.first, request, next) }
            group.addTask {
                do { try await clock.sleep(until: due) } catch { return .notDue }
                return .due
            }
            var finish: HedgeRace<Outcome>.Finish?
            for await event in group {
                switch event {
                case .notDue: break
                case .due:
                    let isSent = race.hedge { !Task.isCancelled && budget.withdraw(at: clock.instant) }
                    if isSent { group.addTask { await Self.attempt(.hedge, hedge, next) } }
                case .end(let attempt, let outcome, let time):
                    let isGood = Self.isGood(outcome)
                    // A stream holds a connection, and perhaps the permit that the other attempt waits for.
                    let isKept = (try? outcome.get())?.stream == nil
                    if let end = race.end(attempt, with: outcome, isGood: isGood, isKept: isKept) {
                        finish = end
                        if Self.isGood(end.outcome) { record(for: key, from: start, to: time) }
                        group.cancelAll()
                    } else {
                        Self.discard(outcome)
                    }
                }
            }
            return (finish, race.isHedged)
        }
        // The first attempt always ends.
        guard let end else { throw CancellationError() }
        if let discarded = end.discarded { Self.discard(discarded) }
        return isHedged ? try Self.result(of: end, request, hedge) : try end.outcome.get()
    }

    private static func attempt(
        _ attempt: HedgeRace<Outcome>.Attempt,
        _ request: TransportRequest,
        _ next: InterceptorChain
    ) async -> Event {
        do {
            let response = try await next(request)
            return .end(attempt, .success(response), at: next.clock.instant)
        } catch {
            return .end(attempt, .failure(error), at: next.clock.instant)
        }
    }

    private static func hedge(of request: TransportRequest) -> TransportRequest {
        var hedge = request.of(request.call.fork())
        hedge.beginAttempt(.hedge)
        // The reports of two attempts would contradict each other.
        if hedge.reporter != nil { hedge.reporter = nil }
        return hedge
    }

    /// Returns the result of a call with two attempts.
    private static func result(
        of finish: HedgeRace<Outcome>.Finish,
        _ request: TransportRequest,
        _ hedge: TransportRequest
    ) throws -> TransportResponse {
        request.call.add(attemptsOf: hedge.call)
        do {
            return try finish.outcome.get()
        } catch var error as TransportError {
            // The server may have processed the other attempt.
            error.isSafeToRetry = false
            throw error
        }
    }

    private static func isGood(_ outcome: Outcome) -> Bool {
        guard case .success(let response) = outcome else { return false }
        switch response.head.statusCode.rawValue {
        case 408, 425, 429, 500...: return false
        default: return true
        }
    }

    /// Closes the exchange of a response that is not returned.
    private static func discard(_ outcome: Outcome) {
        if case .success(let response) = outcome { response.stream?.discard() }
    }

    private func isRepeatable(_ request: TransportRequest) -> Bool {
        request.body == nil && request.urlRequest.httpBodyStream == nil
            && request.urlRequest.httpBody?.count ?? 0 <= maximumBody
            && methods.contains(HTTPMethod(request.urlRequest.httpMethod ?? "GET"))
    }

    private func destination(of request: TransportRequest) -> String? {
        guard request.urlRequest.url != nil else { return nil }
        let key = if let key { key(request.urlRequest) } else { request.target?.origin }
        return key.flatMap { $0.utf8.count <= HedgingMachine.maximumKeyLength ? $0 : nil }
    }

    private func record(for key: String, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        machine.withLock { $0.record(start.duration(to: end), for: key, at: end) }
    }
}

extension Hedging: PromptInterceptor {
    /// `false` with a closure of the user, which may take its time.
    package var isPrompt: Bool { key == nil }
}

extension Hedging: Redacted {
    /// The methods and the largest body.
    package var shown: KeyValuePairs<String, Any> {
        ["methods": methods.map(\.rawValue).sorted(), "maximumBody": maximumBody]
    }
}
