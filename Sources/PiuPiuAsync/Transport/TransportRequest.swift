/// A request on its way through the interceptors to the transport.
public struct TransportRequest: Sendable {
    /// The method, the URL, the header fields, and the body if it is in memory.
    ///
    /// A `var`: an interceptor changes its copy of the request, as in `request.urlRequest.setValue(…)`, and passes that on.
    public var urlRequest: URLRequest
    /// The call that the request belongs to.
    private(set) var call: Call
    /// What the request is sent with, if that is not what its call began with.
    ///
    /// In one box, because most requests have none, and copies of a request share it.
    private var own: CopyOnWrite<Call.Terms>?
    /// Where the request is on its way, for the dispatcher's observers; `nil` if there are none.
    package var observation: Observation?
    /// The call that the request belongs to, as observers see it; `nil` if nobody observes it.
    package var observedCall: ObservedCall? { observation?.call }

    /// How the response's body is delivered; ``BodyDelivery/buffered`` by default.
    public var delivery = BodyDelivery.buffered
    /// Whether another origin led here: by a redirect, now or at an earlier hop, or by a link.
    ///
    /// Such a request may not use a route into a Unix socket.
    package var isForeignRedirect: Bool
    /// Whether a redirect is followed, so that nobody gets its body.
    package var followsRedirects = false

    private var terms: Call.Terms {
        get { own?.values ?? call.terms }
        _modify {
            var terms = own ?? CopyOnWrite(call.terms)
            // The box has one reference while it changes.
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
    /// It is the earlier one of ``Timeouts/total``, from the beginning of the call, and ``RequestOptions/deadline``. In an
    /// exchange that calls share by ``Coalescing``, it is that of the call that began the exchange.
    public var deadline: ContinuousClock.Instant? {
        get { if let own { own.values.deadline } else { call.terms.deadline } }
        set { terms.deadline = newValue }
    }

    /// When the call began; `nil` if no dispatcher made it.
    var beganAt: ContinuousClock.Instant? { call.terms.beganAt }

    /// The body if it is not in ``urlRequest``; `nil` for none.
    ///
    /// A transport sends either this or `urlRequest.httpBody`; a request with both is refused.
    public var body: RequestBody? {
        get { if let own { own.values.body } else { call.terms.body } }
        set { terms.body = newValue }
    }

    /// The reporter of the bytes sent and received; `nil` for none.
    public var reporter: TransferReporter? {
        get { if let own { own.values.reporter } else { call.terms.reporter } }
        set { terms.reporter = newValue }
    }

    /// The attempts of the call so far, oldest first; the last one is under way.
    ///
    /// Never empty. All requests of a call have the same, and ``Response/attempts`` and ``TransportError/attempts`` list
    /// them in the end. A policy that sends the request again begins an attempt with ``beginAttempt(_:)``.
    public var attempts: [Attempt] { call.attempts }

    /// Begins another attempt of the call, which is about to send this request or one like it again.
    ///
    /// - Parameter cause: Why it is made.
    public func beginAttempt(_ cause: Attempt.Cause) { call.begin(cause) }

    /// Decides whether the transport sends the request again within the attempt, and counts that for the call.
    ///
    /// - Parameter cause: Why its server has not processed it.
    /// - Returns: How it is sent again; `nil` if it is not.
    package func restart(after cause: Restarts.Cause) -> Restarts.Plan? { call.restart(after: cause) }

    /// The time limit of the attempt; `nil` if it has none of its own.
    var attemptLimit: AttemptLimit? {
        get { if let own { own.values.attemptLimit } else { call.terms.attemptLimit } }
        set { terms.attemptLimit = newValue }
    }

    /// The jars whose cookies the request has, and that store those of its response; empty if there are none.
    ///
    /// Without cookies as well, the response to such a request is for the user of the jar alone.
    var cookieJars: [ObjectIdentifier] {
        get { own?.values.cookieJars ?? call.terms.cookieJars }
        _modify { yield &terms.cookieJars }
    }

    /// Whether the transport decompresses the response, unless it does so in a way of its own.
    package var decodesContent: Bool {
        options.decompression.isOn
            && ["Accept-Encoding", "Range"].allSatisfy { urlRequest.value(forHTTPHeaderField: $0) == nil }
    }

    /// Creates a request, which begins a call of its own.
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
    init(_ urlRequest: URLRequest, of call: Call) {
        self.urlRequest = urlRequest
        self.call = call
        isForeignRedirect = call.context.isForeign
    }
}

extension TransportRequest {
    /// Returns the request as a part of another call.
    func of(_ call: Call) -> TransportRequest {
        var request = self
        request.call = call
        return request
    }

    /// What the URL says about where to send the request, parsed once; `nil` if nothing can be sent there.
    package var target: RequestTarget? { target(of: urlRequest.url) }

    /// What a URL of the call says, usually that of the request.
    func target(of url: URL?) -> RequestTarget? { url.flatMap { try? call.target(of: $0, keeping: true) } }

    /// What the request's URL says, for the transport, after which nothing needs it again.
    ///
    /// - Throws: Why nothing can be sent there.
    func parsedTarget(_ url: URL) throws(RequestTarget.Refusal) -> RequestTarget {
        try call.target(of: url, keeping: false)
    }

    /// The request for those that keep it to describe it: without what sends and receives the bodies, and unobserved.
    var described: TransportRequest {
        var request = self
        request.observation = nil
        // A call holds what it began with.
        let begun = call.terms
        if body != nil || reporter != nil || begun.body != nil || begun.reporter != nil { request.dropBodies() }
        return request
    }

    // Out of line, because most requests have none.
    @inline(never)
    private mutating func dropBodies() {
        var terms = terms
        terms.body = nil
        terms.reporter = nil
        call = call.describing(terms)
        own = nil
    }

    /// Creates an error about the request, which hides what its options say is secret.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - reason: The text; that of the code by default.
    ///   - response: The head of the response, if there was one.
    ///   - bytesReceived: How much of its body arrived.
    /// - Returns: The error.
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
    /// As it arrives, in ``TransportResponse/stream``; the transport returns when the head arrives.
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
