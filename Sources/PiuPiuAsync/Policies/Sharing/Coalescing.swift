/// Lets equal requests that are in flight at the same time share one exchange.
///
/// A hundred views that ask for the same picture, or a thousand handlers that ask for the same configuration, make one
/// request. Each call gets the response, or the error, of the exchange that was under way when it was made:
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(interceptors: [Coalescing()])
/// async let first = dispatcher.data(from: url)
/// async let second = dispatcher.data(from: url)
/// let responses = try await [first, second]
/// ```
///
/// This is not a cache. A request that is made after the exchange ended begins another one.
///
/// ## Which requests share an exchange
///
/// `GET` and `HEAD` requests of `data(for:)` without a body, with the same method, the same URL except for its fragment,
/// the same options and the same header fields. Fields that don't matter, such as `traceparent`, can be ignored; fields
/// with credentials, such as `Authorization` and `Cookie`, always matter, so two users never share a response. Streams,
/// downloads and uploads have exchanges of their own. Requests that report their progress, as those of futures do, share
/// with each other, and each of them reports the progress of the shared exchange.
///
/// Requests are compared as they will be sent. Whatever may distinguish one caller from another runs for each call, before
/// the comparison, wherever it stands in the list: adapters, and interceptors with
/// ``Interceptor/distinguishesCallers``, such as an ``AuthenticationPolicy`` with closures of your own, a jar of
/// cookies, or any interceptor that does not say otherwise. Requests with different ``CookieJar``s never share, even if
/// neither has a cookie yet. Interceptors in between run for each call, too; those after
/// the last of them run once for all calls that share. A policy that an interceptor calls by itself, with such
/// interceptors still ahead, shares nothing. Requests before and after ``SocketTransport/reconfigure(_:)``, which may
/// replace a client certificate, do not share either.
///
/// What comes later cannot be compared: fields that observers add are those of the exchange, and a transport of your own
/// must not treat callers differently.
///
/// A call never gets a response that is older than a write: when a request with a method that is not safe
/// (RFC 9110 §9.2.1) ends, whatever its result, later calls to the same origin no longer join the exchanges under way.
///
/// ## What the calls share
///
/// - **The response**, with the ``TransportResponse/urlRequest`` that was sent: that of the first call. The body's memory
///   is shared, not copied. ``Response/attempts`` are each call's own.
/// - **The task-local values and the priority** of the first call, in which the exchange runs.
/// - **No time limit.** Each call has its own deadline: it ends with `TransportError.Code.timeout(.total)`, and leaves
///   the exchange to the others.
/// - **The end.** Cancelling a call ends that call at once, with `CancellationError`. Cancelling the last one closes the
///   exchange. Releasing or invalidating the dispatcher cancels all of them.
///
/// A request that is made inside a shared exchange, by an interceptor that runs once for it, is sent without sharing, and
/// so is a request of an ``AuthenticationPolicy``'s refresh: an exchange never waits for itself, nor two for each other.
public final class Coalescing: Interceptor {
    private typealias Machine = CoalescingMachine<CoalescingKey, Waiter, Task<Void, Never>>

    /// A call that waits for an exchange.
    private struct Waiter: Sendable {
        let outcome = FirstOutcome<Shared>()
        let reporter: TransferReporter?
    }

    /// What the calls of an exchange get.
    private struct Shared: Sendable {
        let result: Result<TransportResponse, any Error>
        /// The call in which the exchange was made; `nil` if it has not ended.
        var call: Call?
    }

    /// The fields that are ignored by default: identifiers of traces and of requests, which differ in each request.
    public static let identifyingHeaders = ["traceparent", "tracestate", "X-Request-ID", "X-Correlation-ID"]

    /// Marks the shared exchanges: requests made there don't share, so that no exchange waits for itself or for one that
    /// waits for it.
    private let owner = Call.Work.Owner()

    private let ignored: Set<String>
    private let machine = Locked(Machine())

    /// `false`: all callers are treated alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a policy.
    ///
    /// - Parameter ignoredHeaders: The names of header fields that may differ between requests that share an exchange,
    ///   in any case; ``identifyingHeaders`` by default. Fields with credentials, and those that
    ///   ``RequestOptions/sensitiveHeaders`` names, are never ignored.
    public init(ignoringHeaders ignoredHeaders: [String] = identifyingHeaders) {
        ignored = Set(ignoredHeaders.filter { !Redaction.descriptions.isSensitive($0) }.map { $0.lowercased() })
    }

    /// Joins the exchange of an equal request, or begins one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response of the exchange.
    /// - Throws: The error of the exchange, which all its calls get; ``TransportError`` with the code `timeout(.total)`
    ///   at the call's deadline; `CancellationError` if the call is cancelled.
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
        let waiter = Waiter(reporter: request.reporter)
        let (ticket, isFirst) = machine.withLock { $0.join(key, waiter) }
        if isFirst {
            begin(ticket.exchange, request, next)
        } else if let reporter = request.reporter {
            catchUp(reporter, with: ticket.exchange)
        }
        let timer = limit(of: request, next.clock).map { limit in
            Task { [clock = next.clock] in
                try await clock.sleep(until: limit)
                self.leave(ticket, waiter, throwing: request.error(.timeout(.total)))
            }
        }
        defer { timer?.cancel() }
        let shared = await withTaskCancellationHandler {
            await waiter.outcome.value()
        } onCancel: {
            leave(ticket, waiter, throwing: CancellationError())
        }
        if let exchange = shared.call { request.call.add(attemptsOf: exchange) }
        return try shared.result.get()
    }

    /// Starts the exchange, in a task with the priority and the task-local values of the first call.
    private func begin(_ id: Int, _ request: TransportRequest, _ next: InterceptorChain) {
        let work = Call.Work(owner: owner, number: id, sharesExchanges: true)
        var shared = request.of(request.call.fork(for: work))
        // Each call has its own limit, and a later call a later one.
        shared.deadline = nil
        if shared.options.deadline != nil { shared.options.deadline = nil }
        if shared.options.timeouts.total != nil { shared.options.timeouts.total = nil }
        if request.reporter != nil { shared.reporter = TransferReporter { self.report($0, of: id) } }
        let exchange = Call.inside(work) { [shared] in
            Task {
                let result: Result<TransportResponse, any Error>
                do { result = .success(try await next(shared)) } catch { result = .failure(error) }
                let waiters = machine.withLock { $0.finish(id) }
                for waiter in waiters { waiter.outcome.conclude(Shared(result: result, call: shared.call)) }
            }
        }
        machine.withLock { $0.begin(exchange, as: id) }?.cancel()
    }

    /// Ends a call, and the exchange with the last one.
    private func leave(_ ticket: Machine.Ticket, _ waiter: Waiter, throwing error: any Error) {
        waiter.outcome.conclude(Shared(result: .failure(error)))
        machine.withLock { $0.leave(ticket) }?.cancel()
    }

    /// Passes progress of an exchange to its calls.
    private func report(_ change: (inout TransferProgress) -> Void, of id: Int) {
        for waiter in machine.withLock({ $0.advance(id, change) }) { waiter.reporter?.report(change) }
    }

    /// Reports to a call what the exchange did before the call joined it.
    private func catchUp(_ reporter: TransferReporter, with id: Int) {
        guard let progress = machine.withLock({ $0.progress(of: id) }) else { return }
        reporter.report {
            // Newer changes may have been reported in the meantime.
            $0.bytesToSend = $0.bytesToSend ?? progress.bytesToSend
            $0.bytesSent = max($0.bytesSent, progress.bytesSent)
            $0.bytesToReceive = $0.bytesToReceive ?? progress.bytesToReceive
            $0.bytesReceived = max($0.bytesReceived, progress.bytesReceived)
        }
    }

    /// Keeps later calls from responses that may be older than a write.
    private func sealIfWritten(_ request: TransportRequest) {
        guard !HTTPMethod(request.urlRequest.httpMethod ?? "GET").isSafe, !machine.withLock({ $0.isEmpty }),
            let origin = request.target?.origin
        else { return }
        machine.withLock { $0.seal { $0.origin == origin } }
    }

    /// When a call must have ended; `nil` for no limit.
    private func limit(of request: TransportRequest, _ clock: TransferClock) -> ContinuousClock.Instant? {
        if let deadline = request.deadline { return deadline }
        // A limit beyond thirty years would overflow the clock and counts as no limit.
        guard let total = request.options.timeouts.total, total < .seconds(1_000_000_000) else { return nil }
        return clock.instant.advanced(by: max(.zero, total))
    }

    /// How many calls wait for an exchange.
    package var waiterCount: Int { machine.withLock { $0.waiterCount } }
}

extension Coalescing: Redacted {
    /// The names of the fields that are ignored.
    package var shown: KeyValuePairs<String, Any> { ["ignoredHeaders": ignored.sorted()] }
}
