/// What a dispatcher shares with the work it started: the chain, the transport, and whether they may still be used.
///
/// It is a class behind a lock and not the actor itself, so that a request needs no hop onto an actor, and so that what
/// outlives a call (a future, a stream) can hold on to it without keeping the dispatcher alive.
package final class DispatcherCore: Sendable {
    private typealias Call = Task<TransportResponse, any Error>
    /// What is under way is remembered by what cancels it.
    private typealias Lifecycle = DispatcherLifecycle<CheckedContinuation<Void, Never>, @Sendable () -> Void>

    let options: RequestOptions
    private let additionalHeaders: [HTTPHeaderField]
    package let transport: any HTTPTransport
    /// The transport's clock; `nil` for real time.
    let clock: TransferClock?
    private let redirects: RedirectPolicy?
    /// The interceptors, with the redirect policy among them; `nil` if there are none, so that an ordinary request needs no
    /// frame for each link of a chain and no task.
    private let chain: InterceptorChain?
    private let lifecycle = Locked(Lifecycle())

    init(
        options: RequestOptions,
        additionalHeaders: HTTPHeaderFields,
        redirects: RedirectPolicy?,
        interceptors: [any Interceptor],
        transport: any HTTPTransport
    ) {
        self.options = options
        self.additionalHeaders = Array(additionalHeaders)
        self.transport = transport
        clock = transport.clock
        self.redirects = redirects
        guard !interceptors.isEmpty else {
            chain = nil
            return
        }
        let links: [any Interceptor] = interceptors.filter { !$0.interceptsEachHop } + (redirects.map { [$0] } ?? [])
        chain = InterceptorChain(links + interceptors.filter(\.interceptsEachHop), transport: transport)
    }

    // MARK: Calls

    /// Sends a request and collects the response.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - body: A body to send that need not be in memory; the request's own if it is `nil`.
    ///   - options: The limits; the dispatcher's by default.
    ///   - reporter: What is told of the bytes that move.
    /// - Returns: The response.
    /// - Throws: As ``DataDispatcher/data(for:)`` and ``UploadDispatcher/upload(for:from:)``.
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
        request.reporter = reporter
        do {
            return Response(try await send(request), sensitiveHeaders: request.options.sensitiveHeaders)
        } catch {
            throw surfaced(error)
        }
    }

    /// Sends a request and returns when the head of the response has arrived.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - options: The limits; the dispatcher's by default.
    ///   - reporter: What is told of the bytes that are sent.
    ///   - isPart: Whether it is a part of a download, which goes on after the dispatcher was closed.
    ///   - deadline: When it has to be over, for one of several requests that share a limit; by the options by default.
    /// - Returns: The response. The core lives until its body is read to the end or dropped.
    /// - Throws: As ``URLRequestDispatcher/stream(for:)``.
    package func stream(
        for urlRequest: URLRequest,
        options: RequestOptions? = nil,
        reporter: TransferReporter? = nil,
        isPart: Bool = false,
        deadline: ContinuousClock.Instant? = nil
    ) async throws -> Response<ResponseBody> {
        var request = try begin(urlRequest, options, isPart: isPart)
        if let deadline { request.deadline = deadline }
        request.delivery = .streamed
        request.reporter = reporter
        do {
            let response = try await send(request)
            let body = response.stream ?? ResponseBody(response.body ?? Data())
            // A body that nobody reads is under way too.
            let id = lifecycle.withLock { $0.register(body.cancellation) }
            body.onEnd(mapError: surfaced) {
                if let id { self.forget(id) }
                self.end()
            }
            if id == nil { body.cancellation() }
            let origin = ResponseOrigin(response, sensitiveHeaders: request.options.sensitiveHeaders)
            return Response(data: body, origin: origin)
        } catch {
            end()
            throw surfaced(error)
        }
    }

    /// Saves a response's body to a file.
    ///
    /// All requests of a download are one call: closing the dispatcher waits for its end.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - destination: The file.
    ///   - options: What is accepted, how it is checked, and whether it may continue.
    ///   - reporter: What is told of the bytes that move.
    /// - Returns: The response, with the destination.
    /// - Throws: As ``DownloadDispatcher/download(for:to:options:)``.
    package func download(
        _ urlRequest: URLRequest,
        to destination: URL,
        options: DownloadOptions,
        reporter: TransferReporter?
    ) async throws -> Response<URL> {
        let requestOptions = options.requestOptions ?? self.options(for: urlRequest)
        guard lifecycle.withLock({ $0.begin() }) else { throw shutDown(urlRequest, requestOptions) }
        defer { end() }
        let deadline = deadline(for: requestOptions)
        let download = Download(
            urlRequest,
            to: destination,
            options: options,
            sensitiveHeaders: requestOptions.sensitiveHeaders,
            reporter: reporter
        ) {
            try await self.stream(
                for: $0,
                options: requestOptions,
                reporter: reporter,
                isPart: true,
                deadline: deadline
            )
        }
        return try await download.run()
    }

    // MARK: The one way to the transport

    /// Sends a request through the interceptors and the redirect policy to the transport.
    ///
    /// Every call comes through here.
    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let chain { return try await run(request, chain) }
        let response = try await transport.send(request)
        guard let redirects, RedirectPolicy.isRedirect(response) else { return response }
        return try await redirects.follow(response, request, InterceptorChain([], transport: transport))
    }

    /// Runs the interceptors in a task of their own, which the dispatcher can cancel and abandon: an interceptor may wait
    /// for anything, and ignore that it is cancelled.
    private func run(_ request: TransportRequest, _ chain: InterceptorChain) async throws -> TransportResponse {
        let call = Call { try await chain(request) }
        let id = lifecycle.withLock { $0.register { call.cancel() } }
        if id == nil { call.cancel() }
        defer {
            if let id { forget(id) }
        }
        return try await withTaskCancellationHandler {
            guard let deadline = request.deadline else { return try await call.value }
            return try await value(of: call, by: deadline, for: request)
        } onCancel: {
            call.cancel()
        }
    }

    /// Waits for a call until its deadline; then cancels it and goes on without it.
    private func value(
        of call: Call,
        by deadline: ContinuousClock.Instant,
        for request: TransportRequest
    ) async throws -> TransportResponse {
        let outcome = FirstOutcome<Result<TransportResponse, any Error>>()
        let timer = Task { [clock] in
            if let clock {
                try await clock.sleep(clock.instant.duration(to: deadline))
            } else {
                // A transport has the same deadline, and knows more about what it was doing.
                try await ContinuousClock().sleep(until: deadline + .milliseconds(5))
            }
            let error = TransportError(
                .timeout(.total),
                request: request.urlRequest,
                sensitiveHeaders: request.options.sensitiveHeaders
            )
            if outcome.conclude(.failure(error)) { call.cancel() }
        }
        defer { timer.cancel() }
        // A response that comes too late is dropped, which closes its exchange.
        Task { outcome.conclude(await call.result) }
        return try await outcome.value().get()
    }

    // MARK: The beginning and the end of a call

    /// Everything before the first wait.
    ///
    /// Out of line, because what it needs would otherwise live in the frame of each waiting request.
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
        for field in additionalHeaders where request.urlRequest.value(forHTTPHeaderField: field.name) == nil {
            request.urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
        }
        request.deadline = deadline(for: options)
        guard lifecycle.withLock({ $0.begin(isPart: isPart) }) else {
            let error = shutDown(urlRequest, options)
            throw isPart ? surfaced(error) : error
        }
        return request
    }

    /// The limits of a request that is given none: the dispatcher's, with the time that the request itself names.
    private func options(for urlRequest: URLRequest) -> RequestOptions {
        let interval = urlRequest.timeoutInterval
        // Foundation's default, which says nothing.
        guard interval != 60, interval > 0 else { return options }
        var options = options
        options.timeouts.idle = interval < 1e9 ? .seconds(interval) : nil
        return options
    }

    private func shutDown(_ urlRequest: URLRequest, _ options: RequestOptions) -> TransportError {
        TransportError(.shutDown, request: urlRequest, sensitiveHeaders: options.sensitiveHeaders)
    }

    /// When a call that begins now has to be over; `nil` if it has no limit.
    private func deadline(for options: RequestOptions) -> ContinuousClock.Instant? {
        // A limit beyond thirty years would overflow the clock and means none.
        guard let total = options.timeouts.total, total < .seconds(1_000_000_000) else { return nil }
        return (clock?.instant ?? .now).advanced(by: total)
    }

    @inline(never)
    private func surfaced(_ error: any Error) -> any Error {
        // It was cancelled between two exchanges, where the transport had nothing to cancel but refused the next.
        let wasCancelled = TransportError.Code.shutDown ~= error && lifecycle.withLock { $0.isInvalidated }
        return wasCancelled ? CancellationError() : error
    }

    private func forget(_ id: Int) {
        let operation = lifecycle.withLock { $0.forget(id) }
        withExtendedLifetime(operation) {}
    }

    private func end() {
        guard let waiters = lifecycle.withLock({ $0.end() }) else { return }
        // Nothing is under way, so that there is nothing to cancel: this lets go of connections and threads.
        transport.invalidateAndCancel()
        for waiter in waiters { waiter.resume() }
    }

    /// Refuses new requests; those under way go on.
    package func close() {
        if lifecycle.withLock({ $0.close() }) { transport.invalidateAndCancel() }
    }

    /// Refuses new requests and waits for those under way, and until their connections are closed.
    ///
    /// - Parameter gracePeriod: How long those under way may go on before they are cancelled; `nil` for as long as they
    ///   take.
    func shutdown(gracePeriod: Duration? = nil) async {
        close()
        let timer = gracePeriod.map { period in
            Task { [clock] in
                if let clock { try await clock.sleep(period) } else { try await Task.sleep(for: period) }
                self.invalidateAndCancel()
            }
        }
        defer { timer?.cancel() }
        await withCheckedContinuation { continuation in
            if lifecycle.withLock({ $0.wait(continuation) }) { continuation.resume() }
        }
        await transport.shutdown()
    }

    /// Refuses new requests and cancels those under way.
    package func invalidateAndCancel() {
        let calls = lifecycle.withLock { $0.invalidate() }
        transport.invalidateAndCancel()
        for cancel in calls { cancel() }
    }
}

extension DispatcherCore: Redacted {
    /// The transport's type, and nothing of the requests.
    package var shown: KeyValuePairs<String, Any> { ["transport": "\(type(of: transport))"] }
}
