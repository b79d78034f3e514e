/// A transport over Foundation's `URLSession`, configured to have no policy: the default on Apple systems.
///
/// It is available on Linux too, for programs that need `URLSession` itself. ``SocketTransport`` is the better choice
/// there: it is faster and does not have the limitations below.
///
/// Redirects and authentication challenges are delivered as ordinary responses. Nothing is cached, and no cookies or
/// credentials are stored or sent. Bodies are decompressed by `URLSession`. The transport enforces ``ConnectionLimits``
/// by counting requests, and all ``Timeouts`` but one with its own timers.
///
/// On every platform:
/// - `URLSession` does not report when a connection is established. ``Timeouts/connect`` has no effect, and the time to
///   connect counts toward ``Timeouts/head``, if nothing is uploaded, and toward ``Timeouts/idle``.
/// - A body that is not in memory (a file, a form, a stream) is collected before it is sent, up to
///   ``RequestOptions/maximumBufferedBody``; a larger one causes a ``TransferError``.
/// - Any ``TransportConfiguration/tls`` but the usual, and ``TransportConfiguration/tlsByOrigin`` for the origins it
///   names, are refused with ``TransportError/Code/unsupported`` for `https`.
/// - ``TransportConfiguration/certificateAuthorityFile``, and ``HTTP2Use/never`` for ``TransportConfiguration/http2``,
///   are refused with ``TransportError/Code/unsupported`` for `https`. ``TransportConfiguration/eventLoops`` has no effect.
/// - Only ``TransportConfiguration/Proxy/environment`` and ``TransportConfiguration/Proxy/none`` are supported; a request
///   with another source of proxies is refused with `unsupported`.
/// - `Proxy-Authorization` is refused with `unsupported` for `https`: `URLSession` would send it to the origin.
/// - If a request has its own `Accept-Encoding` or turns decompression off, a compressed body fails with `unsupported`,
///   because it is not available as it was sent. Requests with a decompression ratio are refused.
/// - ``ResponseHead/httpVersion`` is always `HTTP/1.1`, and lines with the same name are joined, including
///   `Set-Cookie`.
///
/// Additional limitations on Linux (swift-corelibs-foundation 6.3):
/// - There is no back pressure on a server whose body is read slowly. Up to ``RequestOptions/maximumBufferedBody`` wait
///   in memory; beyond that, the body fails with `unsupported`.
/// - A body with trailers, and a connection that ends inside the head of a response, terminate the process (#5285).
/// - A redirect whose `Location` is missing or not a URL loses its body and fails with `unsupported`. The bodies of
///   other redirects are limited in time, but not in size, until they are complete.
/// - A request that is not idempotent has its own session, and therefore its own connection: below Foundation, libcurl
///   resends requests of any method if their connection turns out to be dead.
/// - Header fields without a space after the colon (#5527), and fields that are not UTF-8, make the head malformed. If
///   two fields' names differ only in case, one is lost.
/// - URLs with an IPv6 address (#5498), and ``TransportConfiguration/Proxy/none`` if the environment names a proxy, are
///   `unsupported`.
/// - There are no metrics (#4988). Uploaded bytes count as sent when libcurl has them.
/// - All sessions of a process share one queue (#5016). While bytes arrive faster than it processes them, it does
///   nothing else: other requests wait, and so does closing the connections of cancelled requests. On loopback this
///   lasted for seconds; discarded data does not increase memory use.
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
        // Validates the request; `URLSession` itself accepts more than may be sent.
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
