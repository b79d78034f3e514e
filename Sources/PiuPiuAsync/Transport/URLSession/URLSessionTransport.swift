/// A transport over Foundation's `URLSession`, told to have no policy: the default on Apple systems.
///
/// It is there on Linux too, for programs that need `URLSession` itself. ``CurlTransport`` is the better choice there: it
/// is faster and does without the limits below.
///
/// Redirects, and answers that ask for credentials, are delivered as they are. Nothing is cached, and no cookies or
/// credentials are stored or sent. Bodies are decompressed as `URLSession` does it. ``ConnectionLimits`` are kept by
/// counting requests, and all of ``Timeouts`` but one by timers of the transport's own.
///
/// On every platform:
/// - `URLSession` does not tell when a connection stands. ``Timeouts/connect`` is without effect, and the time to connect
///   counts for ``Timeouts/head``, where nothing is uploaded, and for ``Timeouts/idle``.
/// - A body that is not in memory (a file, a form, a stream) is collected before it is sent, up to
///   ``RequestOptions/maximumBufferedBody``; a larger one is a ``TransferError``.
/// - ``TransportConfiguration/certificateAuthorityFile``, and ``TransportConfiguration/http2`` where it is ``HTTP2Use/never``,
///   are refused with ``TransportError/Code/unsupported`` for `https`. ``TransportConfiguration/eventLoops`` and
///   ``TransportConfiguration/streamsOverHTTP2`` are without effect.
/// - `Proxy-Authorization` is refused with `unsupported` for `https`: `URLSession` would send it to the origin.
/// - A compressed body in answer to a request with an `Accept-Encoding` of its own, or whose decompression is off, ends
///   with `unsupported`, because it cannot be had as it was sent. Requests whose decompression has a ratio are refused.
/// - ``ResponseHead/httpVersion`` is always `HTTP/1.1`, and lines of the same name are one, also of `Set-Cookie`.
///
/// On Linux (swift-corelibs-foundation 6.3), moreover:
/// - Nothing holds a server up whose body is read slowly. Up to ``RequestOptions/maximumBufferedBody`` wait in memory,
///   then the body ends with `unsupported`.
/// - A body with trailers, and a connection that ends inside the head of a response, end the process (#5285).
/// - A redirect whose `Location` is missing or no URL loses its body, which is `unsupported`; the bodies of other
///   redirects are bounded in time, not in size, until they are complete.
/// - A request that is not idempotent has a session, and with it a connection, of its own: below Foundation, libcurl sends
///   requests again whose connection turns out to be dead, whatever their method.
/// - Header fields without a space after the colon (#5527), and those that are not UTF-8, make the head malformed; of two
///   fields whose names differ in upper and lower case one is lost.
/// - URLs with an IPv6 address (#5498), and ``TransportConfiguration/Proxy/none`` where the environment names a proxy, are
///   `unsupported`.
/// - There are no metrics (#4988). Uploaded bytes count as sent when libcurl has them.
/// - All sessions of a process share one queue (#5016), and while bytes come faster than it takes them it does nothing
///   else: other requests wait, and so does closing the connection of what was cancelled. On loopback that lasted for
///   seconds; memory does not grow by what is thrown away.
///
/// Dropping the last reference cancels what is in flight.
public final class URLSessionTransport: HTTPTransport {
    private let engine: SessionEngine
    private let configuration: TransportConfiguration

    /// Creates a transport and its session.
    ///
    /// - Parameter configuration: How to connect. What `URLSession` cannot do of it is said by the requests.
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

    /// Sends a request and collects the response, or gives its body back as it arrives.
    ///
    /// Cancelling the calling task closes the exchange at once.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response, whatever its status code.
    /// - Throws: ``TransportError`` where there is no complete response, with the code `unsupported` where `URLSession`
    ///   cannot do what is asked; ``TransferError`` where the body cannot be sent; `CancellationError` where the calling
    ///   task was cancelled or the transport was invalidated.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        // Validates; `URLSession` itself lets more pass than may be sent.
        let prepared = try await PreparedRequest.make(request, userAgent: configuration.userAgent)
        if let refusal = SessionRequest.refusal(configuration, prepared) { throw refusal.error(for: request) }
        let exchange = SessionExchange(request, prepared, engine)
        guard engine.add(exchange) else { throw SessionFailure(.shutDown).error(for: request) }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { exchange.begin($0) }
        } onCancel: {
            exchange.cancel()
        }
        switch outcome {
        case .response(let head, let body):
            return TransportResponse(
                head: ResponseHead(head, requestURL: request.urlRequest.url, metrics: exchange.metrics),
                body: body?.isEmpty == false ? body : nil,
                urlRequest: request.urlRequest
            )
        case .head(let head, let expectedLength):
            return TransportResponse(
                head: ResponseHead(head, requestURL: request.urlRequest.url, metrics: nil),
                body: nil,
                stream: exchange.inbound.map {
                    ResponseBody(SessionBodySource(inbound: $0, request: request), expectedLength: expectedLength)
                },
                urlRequest: request.urlRequest
            )
        case .failure(let failure): throw failure.error(for: request)
        case .cancelled, .complete: throw CancellationError()
        }
    }

    /// Refuses new exchanges and returns when those in flight have ended.
    ///
    /// Cancelling the calling task does not cut it short; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await engine.shutdown()
    }

    /// Refuses new exchanges and cancels those in flight, which end with `CancellationError`.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        engine.invalidateAndCancel()
    }

    /// How many exchanges are in flight or waiting.
    package var exchangeCount: Int { engine.exchangeCount }
}

extension URLSessionTransport: Redacted {
    /// The configuration, and nothing of the requests.
    package var shown: KeyValuePairs<String, Any> { ["configuration": configuration] }
}

/// Reads a body and says of failures which request they belong to.
private struct SessionBodySource: ResponseBodySource {
    let inbound: InboundBody
    let request: TransportRequest

    func next(isolation: isolated (any Actor)?) async throws -> Data? {
        do {
            return try await inbound.next(isolation: isolation)
        } catch let failure as SessionFailure {
            throw failure.error(for: request)
        }
    }

    func close() {
        inbound.close()
    }
}
