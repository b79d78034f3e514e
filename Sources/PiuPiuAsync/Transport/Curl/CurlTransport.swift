#if os(Linux)
import Synchronization

/// The transport of PiuPiu on Linux: libcurl, driven by event loops of its own.
///
/// It speaks HTTP/1.1 and, over TLS where the server offers it, HTTP/2; it keeps connections open and shares them, and
/// decompresses gzip, brotli and zstd as the libcurl of the system can. Proxies are taken from the environment
/// (`https_proxy`, `no_proxy`, …) unless that is switched off. It needs libcurl 7.74 or newer.
///
/// Dropping the last reference cancels what is in flight.
public final class CurlTransport: HTTPTransport {
    let loops: [CurlEventLoop]
    private let next = Atomic<Int>(0)
    private let userAgent: String?

    /// Creates a transport and its event loops.
    ///
    /// - Parameter configuration: How to connect.
    /// - Throws: ``TransportError`` with the code `libraryUnavailable` where libcurl is missing or too old, and
    ///   `outOfResources` where there are no descriptors left.
    public convenience init(configuration: TransportConfiguration = TransportConfiguration()) throws {
        try self.init(configuration: configuration, library: CurlLibrary.shared.get())
    }

    /// Creates a transport for a libcurl with the abilities of a certain version.
    init(
        configuration: TransportConfiguration,
        library: CurlLibrary,
        connectionsPerEngine: Int = CurlEventLoop.connectionsPerEngine
    ) throws {
        userAgent = configuration.userAgent
        let settings = CurlHandle.Settings(
            authorities: CertificateAuthorities(
                chosen: configuration.certificateAuthorityFile?.path(percentEncoded: false),
                library: library
            ),
            allowsHTTP2: library.allowsHTTP2(configuration.http2),
            streamsOverHTTP2: configuration.streamsOverHTTP2,
            usesEnvironmentProxy: configuration.proxy == .environment
        )
        var loops: [CurlEventLoop] = []
        do {
            for limits in configuration.limitsPerLoop {
                let name = "PiuPiu \(loops.count)"
                loops.append(
                    try CurlEventLoop(
                        name: name,
                        limits: limits,
                        settings: settings,
                        library: library,
                        connectionsPerEngine: connectionsPerEngine
                    )
                )
            }
        } catch {
            // A loop lives until it is stopped.
            for loop in loops { _ = loop.executor.submit(.invalidate) }
            throw error
        }
        self.loops = loops
    }

    deinit {
        for loop in loops { _ = loop.executor.submit(.invalidate) }
    }

    /// Sends a request and collects the response.
    ///
    /// Cancelling the calling task closes the exchange at once: an HTTP/1.1 connection is closed, of an HTTP/2
    /// connection only the stream.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response with its whole body, whatever its status code.
    /// - Throws: ``TransportError`` where there is no complete response, `CancellationError` where the calling task was
    ///   cancelled or the transport was invalidated.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let prepared =
            try request.body == nil
            ? PreparedRequest(request, userAgent: userAgent)
            : await PreparedRequest.make(request, userAgent: userAgent)
        let executor = nextLoop().executor
        let ticket = ExchangeTicket()
        let streams = Self.streams(for: request, prepared, ticket, executor)
        let exchange = CurlExchange(ticket: ticket, request: prepared, streams: streams)
        let outcome: ExchangeOutcome = await withTaskCancellationHandler {
            await withExchangeContinuation { continuation in
                exchange.setContinuation(continuation)
                guard executor.submit(.start(ExchangeStart(exchange: exchange))) else {
                    exchange.finish(.failure(ExchangeFailure(code: .shutDown)))
                    return
                }
                if ticket.submit() { _ = executor.submit(.cancel(ticket)) }
            }
        } onCancel: {
            // The executor's lock is ours and held for an append only.
            if ticket.cancel() { _ = executor.submit(.cancel(ticket)) }
        }
        defer { withExtendedLifetime(exchange) {} }
        return try Self.response(to: request, outcome, inbound: streams?.inbound)
    }

    /// What a transfer needs beside an ordinary exchange; `nil` for most.
    @inline(never)
    private static func streams(
        for request: TransportRequest,
        _ prepared: PreparedRequest,
        _ ticket: ExchangeTicket,
        _ executor: EventLoopExecutor
    ) -> ExchangeStreams? {
        let isStreamed = request.delivery == .streamed
        guard isStreamed || request.body != nil || request.reporter != nil else { return nil }
        let inbound =
            isStreamed
            ? InboundBody(
                resume: { _ = executor.submit(.resume(ticket, .receiving)) },
                cancel: { if ticket.cancel() { _ = executor.submit(.cancel(ticket)) } }
            ) : nil
        return ExchangeStreams(inbound: inbound, reporter: request.reporter) {
            _ = executor.submit(.resume(ticket, .sending))
        }
    }

    /// Refuses new exchanges and returns when those in flight have ended and every connection is closed.
    ///
    /// Cancelling the calling task does not cut it short; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        // All of them first: a request is refused or not, whichever loop its turn is.
        for loop in loops { _ = loop.executor.submit(.shutDown(nil)) }
        for loop in loops {
            await withCheckedContinuation { continuation in
                if !loop.executor.submit(.shutDown(continuation)) { continuation.resume() }
            }
        }
    }

    /// Refuses new exchanges and cancels those in flight, which end with `CancellationError`.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        for loop in loops { _ = loop.executor.submit(.invalidate) }
    }

    /// How many sockets are open and how many exchanges are in flight or waiting.
    ///
    /// - Returns: The sums over all event loops.
    package func statistics() async -> (sockets: Int, exchanges: Int) {
        var sums = (sockets: 0, exchanges: 0)
        for loop in loops {
            sums.sockets += await loop.socketCount
            sums.exchanges += await loop.exchangeCount
        }
        return sums
    }

    private func nextLoop() -> CurlEventLoop {
        guard loops.count > 1 else { return loops[0] }
        return loops[next.wrappingAdd(1, ordering: .relaxed).oldValue & .max % loops.count]
    }

    /// Out of line, because what it needs would otherwise live in the frame of each waiting request.
    @inline(never)
    private static func response(
        to request: TransportRequest,
        _ outcome: ExchangeOutcome,
        inbound: InboundBody?
    ) throws -> TransportResponse {
        let urlRequest = request.urlRequest
        switch outcome {
        case .response(let statusCode, let raw, let body, let metrics):
            return TransportResponse(
                head: head(raw, statusCode, metrics, request),
                body: body,
                urlRequest: urlRequest
            )
        case .head(let statusCode, let raw, let expectedLength, let metrics):
            let source = inbound.map { CurlBodySource(inbound: $0, request: request) }
            return TransportResponse(
                head: head(raw, statusCode, metrics, request),
                body: nil,
                stream: source.map { ResponseBody($0, expectedLength: expectedLength) },
                urlRequest: urlRequest
            )
        case .cancelled:
            throw CancellationError()
        case .failure(let failure):
            throw error(failure, request)
        }
    }

    private static func head(
        _ raw: RawHead,
        _ statusCode: Int,
        _ metrics: ExchangeMetrics?,
        _ request: TransportRequest
    ) -> ResponseHead {
        let url = request.urlRequest.url ?? URL(filePath: "/")
        return ResponseHead(url: url, statusCode: statusCode, raw: raw, metrics: metrics)
    }

    fileprivate static func error(_ failure: ExchangeFailure, _ request: TransportRequest) -> any Error {
        if let cause = failure.cause { return cause }
        return TransportError(
            failure.code,
            reason: failure.reason,
            request: request.urlRequest,
            response: failure.head.map { head($0, $0.statusCode ?? 0, nil, request) },
            bytesReceived: failure.bytesReceived,
            underlyingDescription: failure.underlyingDescription,
            isSafeToRetry: failure.isSafeToRetry,
            sensitiveHeaders: request.options.sensitiveHeaders
        )
    }
}

extension CurlTransport: Redacted {
    /// How many event loops there are, and nothing of the requests.
    package var shown: KeyValuePairs<String, Any> { ["eventLoops": loops.count] }
}

/// Reads a body and says of failures which request they belong to.
private struct CurlBodySource: ResponseBodySource {
    let inbound: InboundBody
    let request: TransportRequest

    func next(isolation: isolated (any Actor)?) async throws -> Data? {
        do {
            return try await inbound.next(isolation: isolation)
        } catch let failure as ExchangeFailure {
            throw CurlTransport.error(failure, request)
        }
    }

    func close() {
        inbound.close()
    }
}
#endif
