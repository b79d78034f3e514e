/// A transport over Foundation's `URLSession` without policies of its own: the default on Apple systems.
///
/// It is also available on Linux, for programs that need `URLSession` itself. There, ``SocketTransport`` is the better choice:
/// it is faster and does not have the limitations below.
///
/// Redirects and authentication challenges are delivered as ordinary responses. Nothing is cached, and no cookies or
/// credentials are stored or sent. Bodies are decompressed by `URLSession`. The transport enforces ``ConnectionLimits``
/// by counting requests, and all ``Timeouts`` but one with its own timers.
///
/// On every platform:
/// - `URLSession` does not report when a connection is established. ``Timeouts/connect`` has no effect. The time to
///   connect counts toward ``Timeouts/head`` if nothing is uploaded, and toward ``Timeouts/idle``.
/// - A body that is not in memory (a file, a form, a stream) is collected before it is sent, up to
///   ``RequestOptions/maximumBufferedBody``; a larger one causes a ``TransferError``.
/// - For `https`, the transport refuses any ``TransportConfiguration/tls`` but the default, and
///   ``TransportConfiguration/tlsByOrigin`` for the origins it names, with ``TransportError/Code/unsupported``.
/// - For `https`, the transport refuses ``TransportConfiguration/certificateAuthorityFile``, and ``HTTP2Use/never`` for
///   ``TransportConfiguration/http2``, with `unsupported`. ``TransportConfiguration/eventLoops`` has no effect.
/// - Only ``TransportConfiguration/Proxy/environment`` and ``TransportConfiguration/Proxy/none`` are supported; the transport
///   refuses a request with another source of proxies with `unsupported`.
/// - For `https`, the transport refuses `Proxy-Authorization` with `unsupported`: `URLSession` would send it to the origin.
/// - If a request has its own `Accept-Encoding` or turns decompression off, a compressed body fails with `unsupported`,
///   because its original bytes are not available. The transport refuses requests with a decompression ratio.
/// - ``ResponseHead/httpVersion`` is always `HTTP/1.1`, and lines with the same name are joined, including
///   `Set-Cookie`.
///
/// Additional limitations on Linux (swift-corelibs-foundation 6.3):
/// - There is no back pressure on the server if its body is read slowly. Up to ``RequestOptions/maximumBufferedBody`` bytes
///   wait in memory; beyond that, the body fails with `unsupported`.
/// - A body with trailers, and a connection that ends inside the head of a response, terminate the process (#5285).
/// - A redirect whose `Location` is missing or not a URL loses its body and fails with `unsupported`. The bodies of
///   other redirects are limited in time, but not in size.
/// - A request that is not idempotent has its own session, and therefore its own connection: below Foundation, libcurl
///   resends requests of any method if their connection turns out to be dead.
/// - Header fields without a space after the colon (#5527), and fields that are not UTF-8, make the head malformed. If
///   two fields' names differ only in case, one is lost.
/// - URLs with an IPv6 address (#5498), and ``TransportConfiguration/Proxy/none`` if the environment names a proxy, are
///   `unsupported`.
/// - There are no metrics (#4988). Uploaded bytes count as sent when libcurl has accepted them.
/// - All sessions of a process share one queue (#5016). While bytes arrive faster than the queue processes them, everything
///   else waits: other requests, and closing the connections of cancelled requests. On loopback, this lasted for seconds;
///   discarded data does not increase memory use.
///
/// Releasing the last reference cancels the exchanges in progress.
public final class URLSessionTransport: HTTPTransport {
    private let engine: SessionEngine
    private let configuration: TransportConfiguration

    /// Creates a transport and its session.
    ///
    /// - Parameter configuration: The settings. A request throws if it needs one that `URLSession` does not support.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
        self.configuration = configuration
        let session = URLSessionConfiguration.ephemeral
        session.httpMaximumConnectionsPerHost = max(1, configuration.connections.perHost)
        session.httpShouldSetCookies = false
        session.httpCookieAcceptPolicy = .never
        session.httpCookieStorage = nil
        session.urlCache = nil
        session.urlCredentialStorage = nil
        session.requestCachePolicy = .reloadIgnoringLocalCacheData
        session.timeoutIntervalForRequest = SessionRequest.patience
        SessionPlatform.configure(session, configuration)
        engine = SessionEngine(configuration.connections, session)
    }

    deinit {
        engine.invalidateAndCancel()
    }

    /// Sends a request and collects the response, or returns its body as it arrives.
    ///
    /// Cancelling the calling task closes the exchange at once.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response, whatever its status code.
    /// - Throws: ``TransportError`` if there is no complete response, with the code `unsupported` if `URLSession` does
    ///   not support the request; ``TransferError`` if the body cannot be sent; `CancellationError` if the calling task
    ///   is cancelled or the transport is invalidated.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        // Validates the request, because `URLSession` itself accepts invalid ones.
        let prepared = try await PreparedRequest.make(request, userAgent: configuration.userAgent)
        if let refusal = SessionRequest.refusal(configuration, prepared) { throw refusal.error(for: request) }
        let exchange = SessionExchange(request, prepared, engine)
        guard engine.add(exchange) else { throw ExchangeFailure(.shutDown).error(for: request) }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { exchange.begin($0) }
        } onCancel: {
            exchange.cancel()
        }
        exchange.showOrder()
        let urlRequest = request.urlRequest
        switch outcome {
        case .response(let head, let body):
            return TransportResponse(
                record: ResponseRecord(head, urlRequest: urlRequest, metrics: exchange.metrics),
                body: body?.isEmpty == false ? body : nil
            )
        case .head(let head, let expectedLength):
            return TransportResponse(
                record: ResponseRecord(head, urlRequest: urlRequest),
                body: nil,
                stream: exchange.inbound.map { ResponseBody($0, of: request, expectedLength: expectedLength) }
            )
        case .failure(let failure): throw failure.error(for: request)
        case .cancelled, .complete: throw CancellationError()
        }
    }

    /// Refuses new exchanges and returns when those in progress have ended.
    ///
    /// Cancelling the calling task does not shorten the wait; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await engine.shutdown()
    }

    /// Refuses new exchanges and cancels those in progress, which end with `CancellationError`.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        engine.invalidateAndCancel()
    }

    /// The number of exchanges that are in progress or waiting.
    package var exchangeCount: Int { engine.exchangeCount }
}

extension URLSessionTransport: Redacted {
    /// The configuration, without any details of the requests.
    package var shown: KeyValuePairs<String, Any> { ["configuration": configuration] }
}
