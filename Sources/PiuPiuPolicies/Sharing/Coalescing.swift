/// Lets equal requests that are in flight at the same time share one exchange.
///
/// A hundred views that request the same picture, or a thousand handlers that request the same configuration, cause one
/// exchange. Each call gets the response, or the error, of the exchange in progress when the call was made:
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(interceptors: [Coalescing()])
/// async let first = dispatcher.data(from: url)
/// async let second = dispatcher.data(from: url)
/// let responses = try await [first, second]
/// ```
///
/// This is not a cache. A request after the end of the exchange starts another one.
///
/// ## Which requests share an exchange
///
/// `GET` and `HEAD` requests of `data(for:)` without a body, with the same method, the same URL except for its fragment,
/// The policy shares the exchanges of `GET` and `HEAD` requests of `data(for:)` without a body, with the same method, the same
/// URL except for its fragment, the same ``RequestOptions`` except for ``RequestOptions/deadline`` and ``Timeouts/total``, and
/// the same header fields. It can ignore fields that don't matter, by default those in ``identifyingHeaders``: `traceparent`,
/// `tracestate`, `X-Request-ID` and `X-Correlation-ID`. Fields with credentials, such as `Authorization` and `Cookie`, always
/// matter, so two users never share a response. A field with the remaining time of a call prevents sharing: let an observer add
/// it. Streams, downloads and uploads have exchanges of their own. Requests that report their progress, as those of futures do,
/// share with each other, and each of them reports the progress of the shared exchange.
///
/// The policy compares requests as they will be sent. Adapters, and all interceptors that may distinguish callers, run for each
/// call before the comparison, wherever they are in the list: interceptors with ``Interceptor/distinguishesCallers``, such as
/// an ``AuthenticationPolicy`` with closures of your own, a cookie jar, or any interceptor that does not declare otherwise.
/// Requests with different ``CookieJar``s never share, even if neither has a cookie yet. Interceptors in between run for each
/// call, too; those after the last of them run once for all calls that share. If an interceptor calls a policy directly while
/// such interceptors are still ahead, the policy shares nothing. ``SocketTransport/reconfigure(_:)`` may replace a client
/// certificate, so requests before and after it do not share either.
///
/// The policy cannot compare later changes: fields that observers add are those of the exchange, and a transport of your own
/// must not treat callers differently.
///
/// A call never gets a response that is older than a write: when a request with a method that is not safe (RFC 9110 §9.2.1)
/// ends, with any result, later calls to the same origin no longer join the exchanges in progress.
///
/// ## Shared properties
///
/// - **The response**, with the ``TransportResponse/urlRequest`` of the call that started the exchange. The body's memory is
///   shared, not copied. ``Response/attempts`` are each call's own.
/// - **The task-local values and the priority** of the call that started the exchange.
/// - **The time limit.** The exchange has the deadline of the call that started it, from ``Timeouts/total`` or
///   ``RequestOptions/deadline``, whichever is earlier. Interceptors behind this one and the transport see it as
///   ``TransportRequest/deadline``, and retries and a ``CircuitBreaker`` work as for a call that shares nothing. If that call
///   has no limit, it is `nil`.
/// - **The end.** Cancelling a call ends that call at once, with `CancellationError`. Cancelling the last one closes the
///   exchange. Releasing or invalidating the dispatcher cancels all of them.
///
/// Each call also has its own limit, at which it ends with `TransportError.Code.timeout(.total)`. When the exchange reaches the
/// limit of the call that started it, or a retry would exceed that limit, calls with remaining time do not fail: they share one
/// new exchange, with the latest limit among them. A call whose time is over before it is sent fails at once, and neither sends
/// nor joins anything.
///
/// A request that is made inside a shared exchange, by an interceptor that runs once for it, is sent without sharing, and
/// so is a request of an ``AuthenticationPolicy``'s refresh: an exchange never waits for itself, nor two for each other.
public final class Coalescing: ComparingInterceptor {
    private typealias Machine = CoalescingMachine<CoalescingKey, Waiter, Task<Void, Never>, ContinuousClock.Instant>

    /// A call that waits for an exchange.
    private struct Waiter: Sendable {
        let outcome = FirstOutcome<Outcome>()
        let reporter: TransferReporter?
    }

    /// The outcome for a waiter.
    private enum Outcome: Sendable {
        /// The result, and the call of the exchange; `nil` if the exchange has not ended.
        case ended(Result<TransportResponse, any Error>, Call?)
        /// The time of the call is over.
        case over(Call?)
        /// The call has to start an exchange, and then continues to wait.
        case turn(Machine.ID, Waiter)
    }

    /// The fields that are ignored by default: identifiers of traces and of requests, which differ in each request.
    ///
    /// They are `traceparent`, `tracestate`, `X-Request-ID` and `X-Correlation-ID`.
    public static let identifyingHeaders = ["traceparent", "tracestate", "X-Request-ID", "X-Correlation-ID"]

    /// Marks the shared exchanges: requests inside them don't share, so that no exchange waits for itself or for one that waits
    /// for it.
    private let owner = Call.Work.Owner()

    private let ignored: Set<String>
    private let machine = Locked(Machine())

    /// `false`: the policy treats all callers alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a policy.
    ///
    /// - Parameter ignoredHeaders: The names of header fields that may differ between requests that share an exchange, in any
    ///   case; ``identifyingHeaders`` by default. Fields with credentials, and those that ``RequestOptions/sensitiveHeaders``
    ///   names, are never ignored.
    public init(ignoringHeaders ignoredHeaders: [String] = identifyingHeaders) {
        ignored = Set(ignoredHeaders.filter { !Redaction.standard.isSensitive($0) }.map { $0.lowercased() })
    }

    /// Joins the exchange of an equal request, or starts one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response of the exchange.
    /// - Throws: The error of the exchange, which all its calls get, unless it is a time limit after which they have time left;
    ///   ``TransportError`` with the code `timeout(.total)` at the call's deadline, or at once if it has passed;
    ///   `CancellationError` if the call is cancelled.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard !next.distinguishesCallers, request.call.context.mayShare(in: owner),
            let key = CoalescingKey(
                request,
                ignoring: ignored,
                chain: next.identity,
                configuration: next.configurationNumber
            )
        else {
            defer { sealIfWritten(request) }
            return try await next(request)
        }
        try Task.checkCancellation()
        return try await join(key, request, next)
    }

    private func join(
        _ key: CoalescingKey,
        _ request: TransportRequest,
        _ next: InterceptorChain
    ) async throws -> TransportResponse {
        let clock = next.clock
        let limit = limit(of: request, clock)
        if let limit, limit <= clock.instant { throw request.error(.timeout(.total)) }
        var waiter = Waiter(reporter: request.reporter)
        let (ticket, first) = machine.withLock { [waiter] in $0.join(key, waiter, until: limit) }
        if let first {
            begin(first, request, next, until: limit)
        } else if let reporter = request.reporter {
            catchUp(reporter, with: ticket)
        }
        // The limit of the first call is that of the exchange, which has its own timer.
        let timer = (first == nil ? limit : nil).map { limit in
            Task {
                try await clock.sleep(until: limit)
                self.leave(ticket, at: max(limit, clock.instant), with: .over(nil))
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            while true {
                switch await waiter.outcome.value() {
                case .ended(let result, let exchange):
                    if let exchange { request.call.add(attemptsOf: exchange) }
                    return try result.get()
                case .over(let exchange):
                    if let exchange { request.call.add(attemptsOf: exchange) }
                    throw request.error(.timeout(.total))
                case .turn(let id, let successor):
                    waiter = successor
                    if machine.withLock({ $0.start(id) }) { begin(id, request, next, until: limit) }
                }
            }
        } onCancel: {
            leave(ticket, at: clock.instant, with: .ended(.failure(CancellationError()), nil))
        }
    }

    /// Starts an exchange, in a task with the priority and the task-local values of the call that starts it.
    private func begin(
        _ id: Machine.ID,
        _ request: TransportRequest,
        _ next: InterceptorChain,
        until limit: ContinuousClock.Instant?
    ) {
        let work = Call.Work(owner: owner, number: id.group, sharesExchanges: true)
        var shared = request.of(request.call.fork(for: work))
        if shared.deadline != limit { shared.deadline = limit }
        if request.reporter != nil { shared.reporter = TransferReporter { self.report($0, of: id) } }
        let exchange = Call.inside(work) { [shared] in
            Task { await run(id, shared, next, until: limit) }
        }
        machine.withLock { $0.begin(exchange, as: id) }?.cancel()
    }

    private func run(
        _ id: Machine.ID,
        _ request: TransportRequest,
        _ next: InterceptorChain,
        until limit: ContinuousClock.Instant?
    ) async {
        let (clock, call) = (next.clock, request.call)
        let timer = limit.map { watch(id, until: $0, clock, call) }
        defer { timer?.cancel() }
        let result: Result<TransportResponse, any Error>
        do { result = .success(try await next(request)) } catch { result = .failure(error) }
        if call.lacksTime || Self.isLimit(result, limit, clock) {
            expire(id, at: clock.instant, result, call)
        } else {
            finish(id, result, call)
        }
    }

    /// Ends an exchange at its limit, whatever its state.
    private func watch(
        _ id: Machine.ID,
        until limit: ContinuousClock.Instant,
        _ clock: TransferClock,
        _ call: Call
    ) -> Task<Void, any Error> {
        Task {
            // The transport has the same limit, and its error has more details.
            try await clock.sleep(until: clock.base is ContinuousClock ? limit + .milliseconds(5) : limit)
            let exchange = expire(id, at: max(limit, clock.instant), nil, call)
            // No call waits for the exchange any more, and it counts as a timeout, not as a cancellation, if it ends by itself.
            try await Task.sleep(for: .seconds(1))
            exchange?.cancel()
        }
    }

    /// Whether an exchange failed because the time of the call that started it is, or would be, over.
    private static func isLimit(
        _ result: Result<TransportResponse, any Error>,
        _ limit: ContinuousClock.Instant?,
        _ clock: TransferClock
    ) -> Bool {
        guard let limit, case .failure(let error) = result else { return false }
        if let error = error as? LimitError { return error.reason == .deadline }
        // An interceptor may have set an earlier deadline. The clock of a transport may be slightly ahead of this one.
        return TransportError.Code.timeout(.total) ~= error && clock.instant + .milliseconds(10) >= limit
    }

    private func finish(_ id: Machine.ID, _ result: Result<TransportResponse, any Error>, _ call: Call) {
        for waiter in machine.withLock({ $0.finish(id) }) { waiter.outcome.conclude(.ended(result, call)) }
    }

    /// Ends an exchange at its limit, and lets a call with remaining time start another; returns `nil` if it had already ended.
    @discardableResult
    private func expire(
        _ id: Machine.ID,
        at now: ContinuousClock.Instant,
        _ result: Result<TransportResponse, any Error>?,
        _ call: Call
    ) -> Task<Void, Never>? {
        let (expiry, successor) = machine.withLock { machine in
            var successor: Waiter?
            let expiry = machine.expire(id, at: now) { heir in
                let waiter = Waiter(reporter: heir.reporter)
                successor = waiter
                return waiter
            }
            return (expiry, successor)
        }
        for waiter in expiry.over {
            waiter.outcome.conclude(result.map { .ended($0, call) } ?? .over(call))
        }
        if let heir = expiry.heir, let next = expiry.next, let successor {
            heir.outcome.conclude(.turn(next, successor))
        }
        return expiry.exchange
    }

    /// Ends a call, and with the last call the exchange.
    private func leave(_ ticket: Machine.Ticket, at now: ContinuousClock.Instant, with outcome: Outcome) {
        guard let (waiter, exchange) = machine.withLock({ $0.leave(ticket, at: now) }) else { return }
        waiter.outcome.conclude(outcome)
        exchange?.cancel()
    }

    /// Passes the progress of an exchange to its calls.
    private func report(_ change: (inout TransferProgress) -> Void, of id: Machine.ID) {
        for waiter in machine.withLock({ $0.advance(id, change) }) { waiter.reporter?.report(change) }
    }

    /// Reports to a call the progress of the exchange before the call joined it.
    private func catchUp(_ reporter: TransferReporter, with ticket: Machine.Ticket) {
        guard let progress = machine.withLock({ $0.progress(of: ticket) }) else { return }
        reporter.report {
            // Newer changes may have been reported in the meantime.
            $0.bytesToSend = $0.bytesToSend ?? progress.bytesToSend
            $0.bytesSent = max($0.bytesSent, progress.bytesSent)
            $0.bytesToReceive = $0.bytesToReceive ?? progress.bytesToReceive
            $0.bytesReceived = max($0.bytesReceived, progress.bytesReceived)
        }
    }

    /// Prevents later calls from getting responses that may be older than a write.
    private func sealIfWritten(_ request: TransportRequest) {
        guard !HTTPMethod(request.urlRequest.httpMethod ?? "GET").isSafe, !machine.withLock({ $0.isEmpty }),
            let origin = request.target?.origin
        else { return }
        machine.withLock { $0.seal { $0.origin == origin } }
    }

    /// The latest end of a call; `nil` for no limit.
    private func limit(of request: TransportRequest, _ clock: TransferClock) -> ContinuousClock.Instant? {
        if let deadline = request.deadline { return deadline }
        // A limit beyond thirty years would overflow the clock, and counts as no limit.
        guard let total = request.options.timeouts.total, total < .seconds(1_000_000_000) else { return nil }
        return clock.instant.advanced(by: max(.zero, total))
    }

    /// The number of calls that wait for an exchange.
    package var waiterCount: Int { machine.withLock { $0.waiterCount } }

    /// Whether no exchange is in progress, including those without waiting calls.
    package var isIdle: Bool { machine.withLock { $0.isEmpty } }
}

extension Coalescing: Redacted {
    /// The names of the fields that are ignored.
    package var shown: KeyValuePairs<String, Any> { ["ignoredHeaders": ignored.sorted()] }
}
