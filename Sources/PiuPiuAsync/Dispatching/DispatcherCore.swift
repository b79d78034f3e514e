/// The state a dispatcher shares with the work it started: the interceptors, the transport and the lifecycle.
///
/// It is a class with a lock instead of the actor itself: a request needs no hop onto an actor, and work that outlives a
/// call (a future, a stream) can hold the core without keeping the dispatcher alive.
package final class DispatcherCore: Sendable {
    /// The lifecycle; for each request in progress it stores the function that cancels it.
    typealias Lifecycle = DispatcherLifecycle<CheckedContinuation<Void, Never>, @Sendable () -> Void>

    let options: RequestOptions
    package let additionalHeaders: AdditionalHeaders
    package let transport: any HTTPTransport
    /// The transport's clock; `nil` for real time.
    let clock: TransferClock?
    /// The observers of the calls; `nil` if there are none.
    let observers: ObserverList?
    /// The executors of the transport's event loops.
    let loops: LoopExecutors
    /// The transport with the observers; `nil` if there are no observers.
    private let observed: ObservingTransport?
    private let redirects: RedirectPolicy?
    /// The interceptors and the redirect policy; `nil` if there are no interceptors.
    ///
    /// Without a chain, a request needs neither a frame for each link nor a task.
    private let chain: InterceptorChain?
    /// Whether the chain itself begins a task if it needs one.
    private let isPrompt: Bool
    let lifecycle = Locked(Lifecycle())

    init(
        options: RequestOptions,
        additionalHeaders: AdditionalHeaders,
        redirects: RedirectPolicy?,
        order: InterceptorOrder?,
        observers: [any ExchangeObserver] = [],
        transport: any HTTPTransport
    ) {
        self.options = options
        self.additionalHeaders = additionalHeaders
        self.transport = transport
        loops = LoopExecutors(transport)
        clock = transport.clock
        let list = observers.isEmpty ? nil : ObserverList(observers, clock: transport.clock)
        self.observers = list
        let observed = list.map { ObservingTransport(transport, $0) }
        self.observed = observed
        let sender: any HTTPTransport = observed ?? transport
        self.redirects = redirects
        guard let order else {
            chain = nil
            isPrompt = true
            return
        }
        isPrompt = order.interceptors.allSatisfy { ($0 as? any PromptInterceptor)?.isPrompt ?? false }
        if isPrompt {
            chain = InterceptorChain(order, transport: sender) { [lifecycle, clock] request, work in
                try await Self.run(request, .other(work), lifecycle, clock)
            }
        } else {
            chain = InterceptorChain(order, transport: sender, run: nil)
        }
    }

    // MARK: Calls

    /// Sends a request and collects the response.
    ///
    /// `body` need not be in memory; `nil` stands for the request's own body. Throws the errors of
    /// ``DataDispatcher/data(for:)`` and ``UploadDispatcher/upload(for:from:)``.
    package func data(
        for urlRequest: URLRequest,
        body: RequestBody? = nil,
        options: RequestOptions? = nil,
        reporter: TransferReporter? = nil
    ) async throws -> Response<Data?> {
        let request = try begin(urlRequest, body, options, reporter)
        defer { end() }
        do {
            let response = try await send(request)
            request.observedCall?.end(.response(response.head.statusCode))
            let attempts = request.call.severalAttempts
            return Response(
                response,
                sensitiveHeaders: request.options.sensitiveHeaders,
                attempts: attempts,
                elapsed: elapsed(request, response, attempts)
            )
        } catch {
            throw endCall(of: request, with: error)
        }
    }

    /// Saves a response's body to a file, or to a folder under the name that the server proposes.
    ///
    /// All requests of a download are one call: closing the dispatcher waits for the whole download. Throws the errors of
    /// ``DownloadDispatcher/download(for:to:options:)``.
    package func download(
        _ urlRequest: URLRequest,
        to destination: URL,
        isFolder: Bool = false,
        options: DownloadOptions,
        reporter: TransferReporter?
    ) async throws -> Response<URL> {
        let whole = try begin(urlRequest, nil, options.requestOptions, reporter, delivery: .streamed)
        defer { end() }
        let download = Download(
            urlRequest,
            to: destination,
            isFolder: isFolder,
            options: options,
            sensitiveHeaders: whole.options.sensitiveHeaders,
            reporter: reporter
        ) { part in
            // Not every transport refuses the next request.
            guard !self.lifecycle.withLock({ $0.isInvalidated }) else { throw CancellationError() }
            let request = self.request(part, in: whole)
            do {
                return try await self.open(request, isImmediate: false) { _, _ in }
            } catch {
                throw self.withAttempts(error, of: request)
            }
        }
        do {
            let response = try await download.run()
            whole.observedCall?.end(.response(StatusCode(rawValue: response.record.values.statusCode)))
            return response
        } catch {
            throw endCall(of: whole, with: error)
        }
    }

    /// Sends a request, and registers the body of its response, which is cancelled with the dispatcher.
    ///
    /// `isImmediate` is `false` if the call began earlier. With `namesErrors`, errors of the body get the details of the call;
    /// otherwise the reader adds them. `onEnd` is called once, when the body is read to its end or dropped.
    func open(
        _ request: TransportRequest,
        isImmediate: Bool = true,
        namesErrors: Bool = false,
        onEnd: @escaping @Sendable (ResponseBody.End, StatusCode) -> Void
    ) async throws -> Response<ResponseBody> {
        let response = try await send(request, isImmediate: isImmediate)
        let body = response.stream ?? ResponseBody(response.body ?? Data(), trailers: response.trailers)
        // A retained body must retain neither the content that was sent nor the observers.
        let failing = namesErrors ? request.described : nil
        // A body that is not being read counts as in progress too.
        let id = lifecycle.withLock { $0.register(body.cancellation, departure: request.tunnel?.departure) }
        let statusCode = response.head.statusCode
        let mapError: @Sendable (any Error) -> any Error = { error in
            failing.map { self.completed(error, for: $0) } ?? self.translatingShutdown(error)
        }
        body.onEnd(mapError: mapError) { end in
            if let id { Self.forget(id, self.lifecycle) }
            onEnd(end, statusCode)
        }
        if id == nil { body.cancellation() }
        let attempts = request.call.severalAttempts
        let record = response.record.surfaced(
            hiding: request.options.sensitiveHeaders,
            attempts: attempts,
            elapsed: elapsed(request, response, attempts)
        )
        return Response(data: body, record: record)
    }

    // MARK: Sending

    /// Sends a request through the interceptors and the redirect policy to the transport.
    ///
    /// Every call uses this function. `isImmediate` is `false` if the call began earlier.
    private func send(_ request: TransportRequest, isImmediate: Bool = true) async throws -> TransportResponse {
        if let chain {
            // Check before an interceptor takes something for the request: a token, a place in a queue, a renewal.
            try Task.checkCancellation()
            do {
                if isPrompt, !loops.mayBeHeldUp { return try await chain(request) }
                return try await Self.run(request, .chain(chain), lifecycle, clock)
            } catch is CancellationError where hasMissedDeadline(request) {
                throw request.error(.timeout(.total))
            }
        }
        if loops.mayBeHeldUp { return try await sendHeldUp(request, isImmediate) }
        let response =
            if let observed { try await observed.send(request, isImmediate: isImmediate) } else {
                try await transport.send(request)
            }
        guard let redirects, RedirectPolicy.isRedirect(response) else { return response }
        return try await redirects.follow(response, request, InterceptorChain([], transport: observed ?? transport))
    }

    /// Sends a request on a loop that may not be able to end it in time.
    @inline(never)
    private func sendHeldUp(_ request: TransportRequest, _ isImmediate: Bool) async throws -> TransportResponse {
        let work = AbandonableWork.other { [observed, transport, redirects] in
            let response =
                if let observed { try await observed.send(request, isImmediate: isImmediate) } else {
                    try await transport.send(request)
                }
            guard let redirects, RedirectPolicy.isRedirect(response) else { return response }
            return try await redirects.follow(response, request, InterceptorChain([], transport: observed ?? transport))
        }
        do {
            return try await Self.run(request, work, lifecycle, clock)
        } catch is CancellationError where hasMissedDeadline(request) {
            throw request.error(.timeout(.total))
        }
    }

    /// Whether something was cancelled because the time of the call is over, and for no other reason.
    private func hasMissedDeadline(_ request: TransportRequest) -> Bool {
        guard let deadline = request.deadline, now >= deadline else { return false }
        return !Task.isCancelled && !lifecycle.withLock { $0.isInvalidated }
    }

    /// Work of a call that can be abandoned.
    private enum AbandonableWork {
        /// All interceptors; not a function, which would be another frame in each call.
        case chain(InterceptorChain)
        /// What an interceptor waits for. At the deadline, the interceptors outside see a cancellation, as if all of them had been
        /// abandoned: nothing was sent, and no server was too slow.
        case other(@Sendable () async throws -> TransportResponse)
    }

    /// Runs interceptors, or the work that they wait for, in a separate task, which usually needs no thread of its own.
    ///
    /// This function abandons the task when the total limit has passed or the dispatcher is invalidated: an interceptor may
    /// wait for anything, and ignore its cancellation. It cannot abandon an interceptor while that blocks its thread.
    private static func run(
        _ request: TransportRequest,
        _ work: AbandonableWork,
        _ lifecycle: Locked<Lifecycle>,
        _ clock: TransferClock?
    ) async throws -> TransportResponse {
        // A later outcome is dropped, which closes the exchange of a response.
        let driver = CallerDriver()
        let isCancelled = Task.isCancelled
        let call = driver.begin(for: #isolation) {
            // Without this, the task may send the request before it learns of the cancellation. The work runs anyway, because
            // it may have to give back a place in a queue.
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            do {
                switch work {
                case .chain(let chain): driver.conclude(.success(try await chain(request)))
                case .other(let work): driver.conclude(.success(try await work()))
                }
            } catch {
                driver.conclude(.failure(error))
            }
        }
        let cancelCall: @Sendable () -> Void = {
            call.cancel()
            driver.conclude(.failure(CancellationError()))
        }
        let id = lifecycle.withLock { $0.register(cancelCall) }
        if id == nil { cancelCall() }
        let timer = request.deadline.map { deadline in
            Task {
                // The transport has the same deadline, and its error has more details, so let it report first.
                try await sleep(until: clock == nil ? deadline + .milliseconds(5) : deadline, clock)
                driver.conclude(nil)
            }
        }
        defer {
            timer?.cancel()
            if let id { forget(id, lifecycle) }
        }
        let result = await withTaskCancellationHandler {
            await driver.outcome()
        } onCancel: {
            call.cancel()
        }
        guard let result else {
            call.cancel()
            if case .other = work { throw CancellationError() }
            throw request.error(.timeout(.total))
        }
        return try result.get()
    }

    // MARK: The beginning and the end of a call

    /// Does everything that precedes the first suspension.
    ///
    /// Kept out of line, because its locals would otherwise live in the frame of each waiting request.
    @inline(never)
    func begin(
        _ urlRequest: URLRequest,
        _ body: RequestBody?,
        _ options: RequestOptions?,
        _ reporter: TransferReporter? = nil,
        delivery: BodyDelivery = .buffered
    ) throws -> TransportRequest {
        let urlRequest = try body?.completing(urlRequest) ?? urlRequest
        // Foundation on Linux traps when a request without a URL is changed.
        guard urlRequest.url != nil else { throw TransportError(.invalidURL, reason: "The request has no URL") }
        let options = options ?? self.options(for: urlRequest)
        // A body in memory stays where interceptors and adapters look for it.
        let streamed = body?.data == nil ? body : nil
        let now = now
        let terms = Call.Terms(
            options: options,
            deadline: deadline(for: options, from: now),
            beganAt: now,
            body: streamed,
            reporter: reporter
        )
        var request = TransportRequest(urlRequest, of: Call(terms))
        request.delivery = delivery
        complete(&request)
        guard lifecycle.withLock({ $0.begin() }) else { throw shutDown(request) }
        if let call = observers?.begin(request) { request.observation = .call(call) }
        return request
    }

    /// Creates one of several requests of a call, with separate attempts.
    private func request(_ part: URLRequest, in whole: TransportRequest) -> TransportRequest {
        var request = whole.of(whole.call.withNewAttempts())
        request.urlRequest = part
        complete(&request)
        return request
    }

    private func complete(_ request: inout TransportRequest) {
        additionalHeaders.add(to: &request)
        request.urlRequest.addFieldsOfCachePolicy()
        request.followsRedirects = redirects != nil
    }

    /// The limits of a request without its own: the dispatcher's, with the request's `timeoutInterval` if it is set.
    private func options(for urlRequest: URLRequest) -> RequestOptions {
        let interval = urlRequest.timeoutInterval
        // This is Foundation's default, which means that nothing was set.
        guard interval != 60, interval > 0 else { return options }
        var options = options
        options.timeouts.idle = interval < 1e9 ? .seconds(interval) : nil
        return options
    }

    /// The deadline of a call that begins now; `nil` if it has no limit.
    private func deadline(
        for options: RequestOptions,
        from now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        // Thirty years from now, in either direction, the clock might overflow: a longer limit counts as none, and a
        // negative one as zero.
        let longest = Duration.seconds(1_000_000_000)
        let rest = options.deadline.map { now.duration(to: $0) } ?? longest
        let limit = min(options.timeouts.total ?? longest, rest)
        return limit < longest ? now.advanced(by: max(.zero, limit)) : nil
    }

    /// The current instant of the transport's clock.
    var now: ContinuousClock.Instant { clock?.instant ?? .now }

    private static func forget(_ id: Int, _ lifecycle: Locked<Lifecycle>) {
        let operations = lifecycle.withLock { $0.forget(id) }
        withExtendedLifetime(operations) {}
    }

    func end() {
        guard let waiters = lifecycle.withLock({ $0.end() }) else { return }
        // Nothing is in progress, so nothing is cancelled: this releases connections and threads.
        transport.invalidateAndCancel()
        for waiter in waiters { waiter.resume() }
    }
}

extension DispatcherCore: Redacted {
    /// The transport's type, without any details of the requests.
    package var shown: KeyValuePairs<String, Any> { ["transport": "\(type(of: transport))"] }
}

/// A dispatcher that delegates its work to a ``DispatcherCore``.
package protocol CoreDispatching: AnyObject, Sendable {
    /// The core that does the work.
    nonisolated var core: DispatcherCore { get }
}
