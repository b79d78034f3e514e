/// What a dispatcher shares with the work it started: the chain, the transport, and whether they may still be used.
///
/// It is a class behind a lock and not the actor itself, so that a request needs no hop onto an actor, and so that what
/// outlives a call (a future, a stream) can hold on to it without keeping the dispatcher alive.
package final class DispatcherCore: Sendable {
    private typealias Call = Task<TransportResponse, any Error>
    private typealias Lifecycle = DispatcherLifecycle<CheckedContinuation<Void, Never>, Call>

    let options: RequestOptions
    private let additionalHeaders: [HTTPHeaderField]
    private let transport: any HTTPTransport
    private let chain: InterceptorChain
    /// Whether code that is not ours runs in the chain, which can wait for something else than the transport.
    private let hasForeignCode: Bool
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
        hasForeignCode = !interceptors.isEmpty
        chain = InterceptorChain(interceptors + (redirects.map { [$0] } ?? []), transport: transport)
    }

    /// Sends a request through the chain and collects the response.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - options: The limits; the dispatcher's by default.
    /// - Returns: The response.
    /// - Throws: As ``DataDispatcher/data(for:)``.
    package func data(for urlRequest: URLRequest, options: RequestOptions? = nil) async throws -> Response<Data?> {
        var request = TransportRequest(urlRequest, options: options ?? self.options)
        for field in additionalHeaders where request.urlRequest.value(forHTTPHeaderField: field.name) == nil {
            request.urlRequest.setValue(field.value, forHTTPHeaderField: field.name)
        }
        if let total = request.options.timeouts.total { request.deadline = .now.advanced(by: total) }
        guard lifecycle.withLock({ $0.begin() }) else {
            throw TransportError(.shutDown, request: urlRequest, sensitiveHeaders: request.options.sensitiveHeaders)
        }
        defer { end() }
        return Response(try await run(request))
    }

    private func run(_ request: TransportRequest) async throws -> TransportResponse {
        guard hasForeignCode else { return try await chain(request) }
        // An interceptor may wait for anything; only a task of its own can be cancelled by the dispatcher too.
        let call = Call { [chain] in try await chain(request) }
        let id = lifecycle.withLock { $0.register(call) }
        if id == nil { call.cancel() }
        defer {
            if let id { lifecycle.withLock { $0.forget(id) } }
        }
        return try await withTaskCancellationHandler {
            try await call.value
        } onCancel: {
            call.cancel()
        }
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
        for call in calls { call.cancel() }
    }
}
