/// The state a dispatcher shares with the work it started: the interceptors, the transport and the lifecycle.
///
/// A class with a lock rather than the actor itself: a request needs no hop onto an actor, and anything that outlives a
/// call (a future, a stream) can hold the core without keeping the dispatcher alive.
package final class DispatcherCore: Sendable {
    /// The lifecycle; for each request in progress it stores the function that cancels it.
    private typealias Lifecycle = DispatcherLifecycle<CheckedContinuation<Void, Never>, @Sendable () -> Void>

    let options: RequestOptions
    package let additionalHeaders: AdditionalHeaders
    package let transport: any HTTPTransport
    /// The transport's clock; `nil` for real time.
    let clock: TransferClock?
    /// The observers of the calls; `nil` if there are none.
    private let observers: ObserverList?
    /// The transport, observed; `nil` if there are no observers.
    private let observed: ObservingTransport?
    private let redirects: RedirectPolicy?
    /// The interceptors and the redirect policy; `nil` if there are no interceptors.
    ///
    /// Without a chain, a request needs neither a frame for each link nor a task.
    private let chain: InterceptorChain?
    /// Whether the chain begins a task where it needs one.
    private let isPrompt: Bool
    private let lifecycle = Locked(Lifecycle())

    init(
        options: RequestOptions,
        additionalHeaders: AdditionalHeaders,
        redirects: RedirectPolicy?,
        interceptors: [any Interceptor],
        observers: [any ExchangeObserver] = [],
        transport: any HTTPTransport
    ) {
        self.options = options
        self.additionalHeaders = additionalHeaders
        self.transport = transport
        clock = transport.clock
        let list = observers.isEmpty ? nil : ObserverList(observers, clock: transport.clock)
        self.observers = list
        let observed = list.map { ObservingTransport(transport, $0) }
        self.observed = observed
        let sender: any HTTPTransport = observed ?? transport
        self.redirects = redirects
        guard !interceptors.isEmpty else {
            chain = nil
            isPrompt = true
            return
        }
        let links: [any Interceptor] = interceptors.filter { !$0.interceptsEachHop } + (redirects.map { [$0] } ?? [])
        let all = links + interceptors.filter(\.interceptsEachHop)
        isPrompt = all.allSatisfy { ($0 as? any PromptInterceptor)?.isPrompt ?? false }
        if isPrompt {
            chain = InterceptorChain(prompt: all, transport: sender) { [lifecycle, clock] request, work in
                try await Self.run(request, lifecycle, clock, work)
            }
        } else {
            chain = InterceptorChain(all, transport: sender)
        }
    }

    // MARK: Calls

    /// Sends a request and collects the response.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - body: A body to send that need not be in memory; `nil` for the request's own.
    ///   - options: The limits; the dispatcher's by default.
    ///   - reporter: The reporter of the bytes sent and received.
    /// - Returns: The response.
    /// - Throws: The errors of ``DataDispatcher/data(for:)`` and ``UploadDispatcher/upload(for:from:)``.
    package func data(
        for urlRequest: URLRequest,
        body: RequestBody? = nil,
        options: RequestOptions? = nil,
        reporter: TransferReporter? = nil
    ) async throws -> Response<Data?> {
        var request = try begin(body?.completing(urlRequest) ?? urlRequest, options)
        defer { end() }
        // A body in memory stays where interceptors and adapters look for it.
        if let body, body.data == nil { request.body = body }
        if let reporter { request.reporter = reporter }
        let call = observers?.begin(request)
        if let call { request.observation = .call(call) }
        do {
            let response = try await send(request)
            call?.end(.response(response.head.statusCode))
            return Response(response, sensitiveHeaders: request.options.sensitiveHeaders)
        } catch {
            throw surfaced(error, of: request, call)
        }
    }

    /// Sends a request and returns when the response's head arrives.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - body: A body to send that need not be in memory; `nil` for the request's own.
    ///   - options: The limits; the dispatcher's by default.
    ///   - reporter: The reporter of the bytes sent.
    ///   - isPart: Whether the request is part of a download, which continues after the dispatcher is closed.
    ///   - deadline: The deadline of several requests that share a limit; derived from the options by default.
    ///   - call: The observed call that the request is a part of; one of its own by default.
    /// - Returns: The response. The core lives until the body is read to its end or dropped.
    /// - Throws: The errors of ``URLRequestDispatcher/stream(for:)`` and ``UploadDispatcher/upload(for:from:)``.
    package func stream(
        for urlRequest: URLRequest,
        body: RequestBody? = nil,
        options: RequestOptions? = nil,
        reporter: TransferReporter? = nil,
        isPart: Bool = false,
        deadline: ContinuousClock.Instant? = nil,
        call: ObservedCall? = nil
    ) async throws -> Response<ResponseBody> {
        var request = try begin(body?.completing(urlRequest) ?? urlRequest, options, isPart: isPart)
        if let body, body.data == nil { request.body = body }
        if let deadline { request.deadline = deadline }
        request.delivery = .streamed
        if let reporter { request.reporter = reporter }
        if let call = call ?? observers?.begin(request) { request.observation = .call(call) }
        do {
            // A download has done some work before.
            let response = try await send(request, isImmediate: call == nil)
            let body = response.stream ?? ResponseBody(response.body ?? Data(), trailers: response.trailers)
            // A body that is not being read counts as in progress too.
            let id = lifecycle.withLock { $0.register(body.cancellation) }
            let observed = isPart ? nil : request.observation?.call
            let statusCode = response.head.statusCode
            // A body that is kept must not keep what was observed.
            var failing = isPart ? nil : request
            failing?.observation = nil
            body.onEnd(mapError: { [failing] in self.surfaced($0, of: failing) }) { end in
                if let id { Self.forget(id, self.lifecycle) }
                observed?.end(ObservedOutcome(end, statusCode))
                self.end()
            }
            if id == nil { body.cancellation() }
            return Response(data: body, record: response.record.surfaced(hiding: request.options.sensitiveHeaders))
        } catch {
            defer { end() }
            throw isPart ? surfaced(error) : surfaced(error, of: request, request.observation?.call)
        }
    }

    /// Saves a response's body to a file.
    ///
    /// All requests of a download are one call: closing the dispatcher waits for the whole download.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - destination: The file, or its folder.
    ///   - isFolder: Whether the destination is a folder, in which the file gets the name that the server proposes.
    ///   - options: Which responses are accepted, how the file is checked, and whether the download can resume.
    ///   - reporter: The reporter of the bytes sent and received.
    /// - Returns: The response, with the destination as its body.
    /// - Throws: The errors of ``DownloadDispatcher/download(for:to:options:)``.
    package func download(
        _ urlRequest: URLRequest,
        to destination: URL,
        isFolder: Bool = false,
        options: DownloadOptions,
        reporter: TransferReporter?
    ) async throws -> Response<URL> {
        let requestOptions = options.requestOptions ?? self.options(for: urlRequest)
        guard lifecycle.withLock({ $0.begin() }) else { throw shutDown(urlRequest, requestOptions) }
        defer { end() }
        var request = TransportRequest(urlRequest, options: requestOptions)
        request.delivery = .streamed
        let now = now
        request.beganAt = now
        let deadline = deadline(for: requestOptions, from: now)
        let call = observers?.begin(request)
        let download = Download(
            urlRequest,
            to: destination,
            isFolder: isFolder,
            options: options,
            sensitiveHeaders: requestOptions.sensitiveHeaders,
            reporter: reporter
        ) {
            try await self.stream(
                for: $0,
                options: requestOptions,
                reporter: reporter,
                isPart: true,
                deadline: deadline,
                call: call
            )
        }
        do {
            let response = try await download.run()
            call?.end(.response(StatusCode(rawValue: response.record.values.statusCode)))
            return response
        } catch {
            throw surfaced(error, of: request, call)
        }
    }

    // MARK: The one way to the transport

    /// Sends a request through the interceptors and the redirect policy to the transport.
    ///
    /// Every call uses this function.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isImmediate: Whether its call began only now.
    /// - Returns: The response.
    /// - Throws: What an interceptor or the transport throws.
    private func send(_ request: TransportRequest, isImmediate: Bool = true) async throws -> TransportResponse {
        if let chain {
            if isPrompt { return try await chain(request) }
            return try await Self.run(request, lifecycle, clock) { try await chain(request) }
        }
        let response = try await sendOnce(request, isImmediate: isImmediate)
        guard let redirects, RedirectPolicy.isRedirect(response) else { return response }
        return try await redirects.follow(response, request, InterceptorChain([], transport: observed ?? transport))
    }

    /// Sends a request to the transport.
    ///
    /// As the observing transport does, but without a frame of its own, which costs more than all events.
    @inline(__always)
    private func sendOnce(_ request: TransportRequest, isImmediate: Bool) async throws -> TransportResponse {
        guard let observed else { return try await transport.send(request) }
        guard let request = observed.begin(request, isImmediate: isImmediate) else {
            return try await observed.send(request)
        }
        do {
            let response = try await transport.send(request)
            guard let (reporter, observers) = observed.openReporter(of: request) else { return response }
            return ObservingTransport.report(response, to: request, reporter, observers)
        } catch {
            ObservingTransport.end(request, error)
            throw error
        }
    }

    /// Runs interceptors, or what they wait for, in a task of its own.
    ///
    /// The task is abandoned when the total limit has passed or the dispatcher is invalidated: an interceptor may wait
    /// for anything, and ignore its cancellation.
    private static func run(
        _ request: TransportRequest,
        _ lifecycle: Locked<Lifecycle>,
        _ clock: TransferClock?,
        _ work: @escaping @Sendable () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        // `nil` for the limit. A response that comes later is dropped, which closes its exchange.
        let outcome = FirstOutcome<Result<TransportResponse, any Error>?>()
        let call = Task {
            do { outcome.conclude(.success(try await work())) } catch { outcome.conclude(.failure(error)) }
        }
        let cancelCall: @Sendable () -> Void = {
            call.cancel()
            outcome.conclude(.failure(CancellationError()))
        }
        let id = lifecycle.withLock { $0.register(cancelCall) }
        if id == nil { cancelCall() }
        let timer = request.deadline.map { deadline in
            Task {
                // A transport has the same deadline, and knows more about what it was doing.
                try await sleep(until: clock == nil ? deadline + .milliseconds(5) : deadline, clock)
                outcome.conclude(nil)
            }
        }
        defer {
            timer?.cancel()
            if let id { forget(id, lifecycle) }
        }
        let result = await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            call.cancel()
        }
        guard let result else {
            call.cancel()
            throw TransportError(
                .timeout(.total),
                request: request.urlRequest,
                sensitiveHeaders: request.options.sensitiveHeaders
            )
        }
        return try result.get()
    }

    // MARK: The beginning and the end of a call

    /// Does everything that precedes the first suspension.
    ///
    /// Kept out of line, because its locals would otherwise live in the frame of each waiting request.
    @inline(never)
    private func begin(
        _ urlRequest: URLRequest,
        _ options: RequestOptions?,
        isPart: Bool = false
    ) throws -> TransportRequest {
        let options = options ?? self.options(for: urlRequest)
        var request = TransportRequest(urlRequest, options: options)
        // Foundation on Linux traps when a request without a URL is changed.
        guard urlRequest.url != nil else { throw TransportError(.invalidURL, reason: "The request has no URL") }
        additionalHeaders.add(to: &request.urlRequest)
        let now = now
        request.beganAt = now
        request.deadline = deadline(for: options, from: now)
        request.followsRedirects = redirects != nil
        if ForeignTarget.isReached { request.isForeignRedirect = true }
        guard lifecycle.withLock({ $0.begin(isPart: isPart) }) else {
            let error = shutDown(urlRequest, options)
            throw isPart ? surfaced(error) : error
        }
        return request
    }

    /// The limits of a request without its own: the dispatcher's, with the request's `timeoutInterval` if it is set.
    private func options(for urlRequest: URLRequest) -> RequestOptions {
        let interval = urlRequest.timeoutInterval
        // Foundation's default, which means that nothing was set.
        guard interval != 60, interval > 0 else { return options }
        var options = options
        options.timeouts.idle = interval < 1e9 ? .seconds(interval) : nil
        return options
    }

    private func shutDown(_ urlRequest: URLRequest, _ options: RequestOptions) -> TransportError {
        let wasReleased = lifecycle.withLock { $0.wasReleased }
        return TransportError(
            .shutDown,
            reason: wasReleased ? "The dispatcher was released" : "The dispatcher was shut down",
            request: urlRequest,
            sensitiveHeaders: options.sensitiveHeaders
        )
    }

    /// The deadline of a call that begins now; `nil` if it has no limit.
    private func deadline(
        for options: RequestOptions,
        from now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        // Thirty years from now, in either direction, the clock might overflow: a longer limit counts as none, and a
        // negative one as zero.
        guard let total = options.timeouts.total, total < .seconds(1_000_000_000) else { return nil }
        return now.advanced(by: max(.zero, total))
    }

    /// The present, of the transport's clock.
    private var now: ContinuousClock.Instant { clock?.instant ?? .now }

    /// Ends an observed call with an error, and returns the error that the caller gets.
    @inline(never)
    private func surfaced(_ error: any Error, of request: TransportRequest, _ call: ObservedCall?) -> any Error {
        let error = surfaced(error, of: request)
        call?.end(ObservedOutcome(error))
        return error
    }

    /// Returns the error that the caller gets: it names the request, the limit that was reached, and how long it took.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - request: The request of the call; `nil` if the error is completed by the call that this one is a part of.
    /// - Returns: The completed error; `CancellationError` if the dispatcher was invalidated.
    @inline(never)
    private func surfaced(_ error: any Error, of request: TransportRequest?) -> any Error {
        let error = surfaced(error)
        guard let request else { return error }
        let elapsed = request.beganAt.map { $0.duration(to: now) }
        switch error {
        case var error as TransportError:
            error.complete(request, options, elapsed: elapsed)
            return error
        case var error as TransferError:
            error.complete(request, elapsed: elapsed)
            return error
        case var error as AuthenticationError where error.target == nil:
            error.target = ErrorText.target(request.urlRequest)
            return error
        default: return error
        }
    }

    @inline(never)
    private func surfaced(_ error: any Error) -> any Error {
        // The call was cancelled between two exchanges: the transport had nothing to cancel and refused the next
        // exchange.
        let wasCancelled = TransportError.Code.shutDown ~= error && lifecycle.withLock { $0.isInvalidated }
        return wasCancelled ? CancellationError() : error
    }

    private static func forget(_ id: Int, _ lifecycle: Locked<Lifecycle>) {
        let operation = lifecycle.withLock { $0.forget(id) }
        withExtendedLifetime(operation) {}
    }

    private func end() {
        guard let waiters = lifecycle.withLock({ $0.end() }) else { return }
        // Nothing is in progress, so nothing is cancelled: this releases connections and threads.
        transport.invalidateAndCancel()
        for waiter in waiters { waiter.resume() }
    }

    /// Refuses new requests and lets those in progress finish.
    package func close() {
        if lifecycle.withLock({ $0.close() }) { transport.invalidateAndCancel() }
    }

    /// How long a shutdown waits for what was cancelled, and may ignore it.
    private static var patience: Duration { .seconds(5) }

    /// Refuses new requests, waits for those in progress, and returns when their connections are closed.
    ///
    /// - Parameter gracePeriod: How long requests in progress may continue before they are cancelled. A billion seconds or
    ///   more is no limit.
    func shutdown(gracePeriod: Duration) async {
        close()
        let outcome = FirstOutcome<Void>()
        // The tasks may outlive the shutdown by a moment, and must not keep the interceptors.
        let (lifecycle, transport, clock) = (lifecycle, transport, clock)
        // A longer one would overflow the clock and means none.
        let period = gracePeriod < .seconds(1_000_000_000) ? gracePeriod : nil
        let timer = period.map { period in
            let end = (clock?.instant ?? .now).advanced(by: max(.zero, period))
            return Task {
                try await Self.sleep(until: end, clock)
                Self.cancelAll(lifecycle, transport)
                try await Self.sleep(until: end + Self.patience, clock)
                outcome.conclude(())
            }
        }
        // The task is abandoned if a call, or the transport, does not end when it is cancelled.
        Task {
            await withCheckedContinuation { continuation in
                if lifecycle.withLock({ $0.wait(continuation) }) { continuation.resume() }
            }
            await transport.shutdown()
            outcome.conclude(())
        }
        await outcome.value()
        timer?.cancel()
    }

    private static func sleep(until instant: ContinuousClock.Instant, _ clock: TransferClock?) async throws {
        if let clock {
            try await clock.sleep(until: instant)
        } else {
            try await ContinuousClock().sleep(until: instant)
        }
    }

    /// Refuses new requests and cancels those in progress.
    package func invalidateAndCancel() { Self.cancelAll(lifecycle, transport) }

    /// Does the same because the dispatcher is released, which later errors say.
    func release() { Self.cancelAll(lifecycle, transport, isRelease: true) }

    private static func cancelAll(
        _ lifecycle: Locked<Lifecycle>,
        _ transport: any HTTPTransport,
        isRelease: Bool = false
    ) {
        let calls = lifecycle.withLock { $0.invalidate(isRelease: isRelease) }
        transport.invalidateAndCancel()
        for cancel in calls { cancel() }
    }
}

extension DispatcherCore: Redacted {
    /// The transport's type, without any details of the requests.
    package var shown: KeyValuePairs<String, Any> { ["transport": "\(type(of: transport))"] }
}
