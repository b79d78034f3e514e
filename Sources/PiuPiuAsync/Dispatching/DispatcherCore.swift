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
    /// Interceptors, redirect policy and transport; `nil` where there are no interceptors, so that an ordinary request
    /// needs no frame for each link of a chain.
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
        chain =
            interceptors.isEmpty
            ? nil : InterceptorChain(interceptors + (redirects.map { [$0] } ?? []), transport: transport)
    }

    /// Sends a request through the chain and collects the response.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - options: The limits; the dispatcher's by default.
    /// - Returns: The response.
    /// - Throws: As ``DataDispatcher/data(for:)``.
    package func data(for urlRequest: URLRequest, options: RequestOptions? = nil) async throws -> Response<Data?> {
        let request = try begin(urlRequest, options ?? self.options)
        defer { end() }
        do {
            if let chain {
                return Response(
                    try await run(request, chain),
                    sensitiveHeaders: request.options.sensitiveHeaders
                )
            }
            let response = try await transport.send(request)
            guard let redirects, RedirectPolicy.isRedirect(response) else {
                return Response(response, sensitiveHeaders: request.options.sensitiveHeaders)
            }
            return Response(
                try await follow(response, request, redirects),
                sensitiveHeaders: request.options.sensitiveHeaders
            )
        } catch {
            throw surfaced(error)
        }
    }

    /// Sends a request, collects the response, and tells of what moves.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - reporter: Who is told.
    /// - Returns: The response.
    /// - Throws: As ``DataDispatcher/data(for:)``.
    package func data(for urlRequest: URLRequest, reporter: TransferReporter) async throws -> Response<Data?> {
        var request = try begin(urlRequest, options)
        defer { end() }
        request.reporter = reporter
        do {
            return Response(try await respond(to: request), sensitiveHeaders: options.sensitiveHeaders)
        } catch {
            throw surfaced(error)
        }
    }

    /// Saves a response's body to a file.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file is to be.
    ///   - options: What is accepted, how it is checked, and whether it may continue.
    ///   - reporter: Who is told of the bytes that move.
    /// - Returns: The response, with the destination.
    /// - Throws: As ``DownloadDispatcher/download(for:to:options:)``.
    package func download(
        _ request: URLRequest,
        to destination: URL,
        options: DownloadOptions,
        reporter: TransferReporter?
    ) async throws -> Response<URL> {
        try await asOneCall(for: request) {
            try await Download(request, to: destination, options: options, reporter: reporter, core: self).run()
        }
    }

    /// Sends a request with a body that need not be in memory, and collects the response.
    ///
    /// - Parameters:
    ///   - urlRequest: The request, without a body of its own.
    ///   - body: The body.
    ///   - reporter: Who is told of the bytes that move.
    /// - Returns: The response.
    /// - Throws: As ``UploadDispatcher/upload(for:from:)``.
    package func upload(
        _ urlRequest: URLRequest,
        from body: RequestBody,
        reporter: TransferReporter?
    ) async throws -> Response<Data?> {
        var request = try begin(body.completing(urlRequest), options)
        defer { end() }
        // What is in memory stays where interceptors and adapters look for it.
        if body.data == nil { request.body = body }
        request.reporter = reporter
        do {
            return Response(try await respond(to: request), sensitiveHeaders: options.sensitiveHeaders)
        } catch {
            throw surfaced(error)
        }
    }

    /// Sends a request and gives the response's body back as it arrives.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - options: The limits; the dispatcher's by default.
    ///   - reporter: Who is told of the bytes that are sent.
    ///   - isPart: Whether it is a part of what ``asOneCall(for:_:)`` runs.
    ///   - deadline: When it has to be over, for one of several requests that share a limit; by the options by default.
    /// - Returns: The response, when its head is there. The core lives as long as the body is not read to its end.
    /// - Throws: As ``URLRequestDispatcher/stream(for:)``.
    package func stream(
        for urlRequest: URLRequest,
        options: RequestOptions? = nil,
        reporter: TransferReporter? = nil,
        isPart: Bool = false,
        deadline: ContinuousClock.Instant? = nil
    ) async throws -> Response<ResponseBody> {
        var request = try begin(urlRequest, options ?? self.options, isPart: isPart)
        if let deadline { request.deadline = deadline }
        request.delivery = .streamed
        request.reporter = reporter
        do {
            let response = try await respond(to: request)
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

    /// Runs several requests, and what comes between and after them, as one call: closing the dispatcher waits for its
    /// end and not only for that of its exchanges.
    ///
    /// - Parameters:
    ///   - urlRequest: The request it is about.
    ///   - operation: What to run.
    /// - Returns: What the operation returns.
    /// - Throws: ``TransportError`` with the code `shutDown` after the dispatcher was closed; what the operation throws.
    package func asOneCall<Result>(
        for urlRequest: URLRequest,
        _ operation: () async throws -> Result
    ) async throws -> Result {
        guard lifecycle.withLock({ $0.begin() }) else {
            throw TransportError(.shutDown, request: urlRequest, sensitiveHeaders: options.sensitiveHeaders)
        }
        defer { end() }
        return try await operation()
    }

    private func respond(to request: TransportRequest) async throws -> TransportResponse {
        if let chain { return try await run(request, chain) }
        let response = try await transport.send(request)
        guard let redirects, RedirectPolicy.isRedirect(response) else { return response }
        return try await follow(response, request, redirects)
    }

    private func follow(
        _ response: TransportResponse,
        _ request: TransportRequest,
        _ redirects: RedirectPolicy
    ) async throws -> TransportResponse {
        try await redirects.follow(response, request, InterceptorChain([], transport: transport))
    }

    /// Everything before the first wait.
    ///
    /// Out of line, because what it needs would otherwise live in the frame of each waiting request.
    @inline(never)
    private func begin(
        _ urlRequest: URLRequest,
        _ options: RequestOptions,
        isPart: Bool = false
    ) throws -> TransportRequest {
        var request = TransportRequest(urlRequest, options: options)
        // Foundation on Linux traps when a request without a URL is changed.
        guard urlRequest.url != nil else { throw TransportError(.invalidURL, reason: "The request has no URL") }
        for field in additionalHeaders where request.urlRequest.value(forHTTPHeaderField: field.name) == nil {
            request.urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
        }
        request.deadline = deadline(for: options)
        guard lifecycle.withLock({ $0.begin(isPart: isPart) }) else {
            let error = TransportError(.shutDown, request: urlRequest, sensitiveHeaders: options.sensitiveHeaders)
            throw isPart ? surfaced(error) : error
        }
        return request
    }

    /// When a call that begins now has to be over; `nil` if it has no limit.
    package func deadline(for options: RequestOptions) -> ContinuousClock.Instant? {
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

    private func run(_ request: TransportRequest, _ chain: InterceptorChain) async throws -> TransportResponse {
        // An interceptor may wait for anything; only a task of its own can be cancelled by the dispatcher too.
        let call = Call { try await chain(request) }
        let id = lifecycle.withLock { $0.register { call.cancel() } }
        if id == nil { call.cancel() }
        defer {
            if let id { forget(id) }
        }
        return try await withTaskCancellationHandler {
            try await call.value
        } onCancel: {
            call.cancel()
        }
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
    func shutdown() async {
        close()
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
