/// A request on its way through the interceptors to the transport.
public struct TransportRequest: Sendable {
    /// The method, the URL, the header fields, and the body if it is in memory.
    ///
    /// An interceptor changes its copy of the request, as in `request.urlRequest.setValue(…)`, and passes the copy on.
    public var urlRequest: URLRequest
    /// The call that the request belongs to.
    package private(set) var call: Call
    /// The terms of this request, if they differ from those of its call.
    ///
    /// They are in one box, because most requests have none, and copies of a request share it.
    private var own: CopyOnWrite<Call.Terms>?
    /// The state of the request for the dispatcher's observers; `nil` if there are none.
    package var observation: Observation?
    /// The request's call, as observers see it; `nil` if there are no observers.
    package var observedCall: ObservedCall? { observation?.call }

    /// How the response's body is delivered; ``BodyDelivery/buffered`` by default.
    public var delivery = BodyDelivery.buffered
    /// Whether another origin led to this request: through a redirect, at this or an earlier hop, or through a link.
    ///
    /// Such a request may not use a route to a Unix socket.
    package var isForeignRedirect: Bool
    /// Whether a redirect is followed, so that its body is unwanted.
    package var followsRedirects = false

    private var terms: Call.Terms {
        get { own?.values ?? call.terms }
        _modify {
            var terms = own ?? CopyOnWrite(call.terms)
            // Keep only one reference to the box while it changes.
            own = nil
            defer { own = terms }
            yield &terms.values
        }
    }

    /// The limits that apply to this request.
    public var options: RequestOptions {
        get { own?.values.options ?? call.terms.options }
        _modify { yield &terms.options }
    }

    /// The deadline of the whole call, across all attempts and redirects; `nil` for no limit.
    ///
    /// It is the earlier of ``Timeouts/total``, counted from the start of the call, and ``RequestOptions/deadline``. If calls
    /// share an exchange by ``Coalescing``, it is the deadline of the call that started the exchange.
    public var deadline: ContinuousClock.Instant? {
        get { if let own { own.values.deadline } else { call.terms.deadline } }
        set { terms.deadline = newValue }
    }

    /// The time when the call started; `nil` if no dispatcher created it.
    package var beganAt: ContinuousClock.Instant? { call.terms.beganAt }

    /// The body if it is not in ``urlRequest``; `nil` for none.
    ///
    /// A transport sends either this or `urlRequest.httpBody`; it refuses a request with both.
    public var body: RequestBody? {
        get { if let own { own.values.body } else { call.terms.body } }
        set { terms.body = newValue }
    }

    /// The reporter of the bytes sent and received; `nil` for none.
    public var reporter: TransferReporter? {
        get { if let own { own.values.reporter } else { call.terms.reporter } }
        set { terms.reporter = newValue }
    }

    /// The tunnel to open; `nil` for an ordinary request.
    package var tunnel: Tunnel? {
        get { if let own { own.values.tunnel } else { call.terms.tunnel } }
        set { terms.tunnel = newValue }
    }

    /// The attempts of the call so far, oldest first; the last one is in progress.
    ///
    /// Never empty. All requests of a call share them, and ``Response/attempts`` and ``TransportError/attempts`` list them at
    /// the end. A policy that sends the request again starts an attempt with ``beginAttempt(_:)``.
    public var attempts: [Attempt] { call.attempts }

    /// Starts another attempt of the call, which is about to send this request or a similar one again.
    ///
    /// - Parameter cause: The reason for the attempt.
    public func beginAttempt(_ cause: Attempt.Cause) { call.begin(cause) }

    /// Decides whether and how the transport resends the request within the attempt, and counts the restart for the call.
    ///
    /// - Parameter cause: The reason why the server has not processed the request.
    /// - Returns: The plan; `nil` if the request is not sent again.
    package func restart(after cause: Restarts.Cause) -> Restarts.Plan? { call.restart(after: cause) }

    /// The time limit of the attempt; `nil` if it has none.
    package var attemptLimit: AttemptLimit? {
        get { if let own { own.values.attemptLimit } else { call.terms.attemptLimit } }
        set { terms.attemptLimit = newValue }
    }

    /// The jars that provide the request's cookies and store those of its response; empty if there are none.
    ///
    /// Even without cookies, the response to such a request is only for the jar's user.
    package var cookieJars: [ObjectIdentifier] {
        get { own?.values.cookieJars ?? call.terms.cookieJars }
        _modify { yield &terms.cookieJars }
    }

    /// Whether the transport decompresses the response, unless it has its own rules.
    package var decodesContent: Bool {
        options.decompression.isOn
            && ["Accept-Encoding", "Range"].allSatisfy { urlRequest.value(forHTTPHeaderField: $0) == nil }
    }

    /// Creates a request that starts a new call.
    ///
    /// - Parameters:
    ///   - urlRequest: The method, URL, header fields and body.
    ///   - options: The limits that apply.
    ///   - deadline: The deadline of the whole call, unless ``RequestOptions/deadline`` is earlier.
    public init(
        _ urlRequest: URLRequest,
        options: RequestOptions = RequestOptions(),
        deadline: ContinuousClock.Instant? = nil
    ) {
        var limit = deadline ?? options.deadline
        if let shared = options.deadline, let own = limit { limit = min(own, shared) }
        self.init(urlRequest, of: Call(Call.Terms(options: options, deadline: limit)))
    }

    /// Creates a request of a call.
    package init(_ urlRequest: URLRequest, of call: Call) {
        self.urlRequest = urlRequest
        self.call = call
        isForeignRedirect = call.context.isForeign
    }
}

extension TransportRequest {
    /// Returns the request as part of another call.
    package func of(_ call: Call) -> TransportRequest {
        var request = self
        request.call = call
        return request
    }

    /// The destination according to the URL, parsed once; `nil` if there is no valid one.
    package var target: RequestTarget? { target(of: urlRequest.url) }

    /// Returns the destination of one of the call's URLs, usually that of the request.
    package func target(of url: URL?) -> RequestTarget? { url.flatMap { try? call.target(of: $0, keeping: true) } }

    /// Returns the destination of the request's URL for the transport, which is the last to need it.
    ///
    /// - Throws: The reason why the URL is refused.
    package func parsedTarget(_ url: URL) throws(RequestTarget.Refusal) -> RequestTarget {
        try call.target(of: url, keeping: false)
    }

    /// A copy for code that only describes the request: without bodies, their reporter and a tunnel, and unobserved.
    package var described: TransportRequest {
        var request = self
        request.observation = nil
        // A call keeps its initial terms.
        let begun = call.terms
        if body != nil || reporter != nil || begun.body != nil || begun.reporter != nil || tunnel != nil {
            request.dropBodies()
        }
        return request
    }

    // Not inlined, because most requests have no bodies to drop.
    @inline(never)
    private mutating func dropBodies() {
        var terms = terms
        terms.body = nil
        terms.reporter = nil
        terms.tunnel = nil
        call = call.describing(terms)
        own = nil
    }

    /// Creates an error about the request, without the secrets that its options name; the reason defaults to the code's text.
    package func error(
        _ code: TransportError.Code,
        reason: String? = nil,
        response: ResponseHead? = nil,
        bytesReceived: Int = 0
    ) -> TransportError {
        TransportError(
            code,
            reason: reason,
            request: urlRequest,
            response: response,
            bytesReceived: bytesReceived,
            sensitiveHeaders: options.sensitiveHeaders
        )
    }
}

/// How a transport delivers a response's body.
public enum BodyDelivery: Sendable, Hashable {
    /// Buffered, up to ``RequestOptions/maximumBufferedBody``, in ``TransportResponse/body``.
    case buffered
    /// Streamed in ``TransportResponse/stream``; the transport returns when the head arrives.
    ///
    /// A transport that does not support this may return a buffered body.
    case streamed
}

extension TransportRequest: Redacted {
    /// The method, the URL and the header fields, without secrets, query or body.
    package var shown: KeyValuePairs<String, Any> {
        let redaction = Redaction.standard.hiding(options.sensitiveHeaders)
        return [
            "method": urlRequest.httpMethod ?? "GET", "url": redaction.location(of: urlRequest.url),
            "headers": redaction.lines(of: urlRequest),
            "body": body?.description ?? "\(urlRequest.httpBody?.count ?? 0) bytes",
        ]
    }
}
