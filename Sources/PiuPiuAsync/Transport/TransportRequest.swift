/// A request on its way through the interceptors to the transport.
public struct TransportRequest: Sendable {
    private struct Values: Sendable {
        var urlRequest: URLRequest
        var options: RequestOptions
        var deadline: ContinuousClock.Instant?
        var beganAt: ContinuousClock.Instant?
        var body: RequestBody?
        var delivery = BodyDelivery.buffered
        var isForeignRedirect = false
        var followsRedirects = false
        var reporter: TransferReporter?
        var attempts: [Attempt] = []
        var attemptLimit: AttemptLimit?
        var cookieJars: [ObjectIdentifier] = []
    }

    private var storage: CopyOnWrite<Values>
    /// Where the request is on its way, for the dispatcher's observers; `nil` if there are none.
    ///
    /// Outside of the shared values, because it changes on the way, and nothing else does in most requests.
    package var observation: Observation?
    /// The call that the request belongs to; `nil` if nobody observes it.
    package var observedCall: ObservedCall? { observation?.call }

    /// The method, the URL, the header fields, and the body if it is in memory.
    ///
    /// A `var`: an interceptor changes its copy of the request, as in `request.urlRequest.setValue(…)`, and passes that on.
    public var urlRequest: URLRequest {
        get { storage.values.urlRequest }
        _modify { yield &storage.values.urlRequest }
    }

    /// The limits that apply to this request.
    public var options: RequestOptions {
        get { storage.values.options }
        _modify { yield &storage.values.options }
    }

    /// The deadline of the whole call, across all attempts and redirects; `nil` for no limit.
    public var deadline: ContinuousClock.Instant? {
        get { storage.values.deadline }
        set { storage.values.deadline = newValue }
    }

    /// When the call began; `nil` if no dispatcher made it.
    var beganAt: ContinuousClock.Instant? {
        get { storage.values.beganAt }
        set { storage.values.beganAt = newValue }
    }

    /// The body if it is not in ``urlRequest``; `nil` for none.
    ///
    /// A transport sends either this or `urlRequest.httpBody`; a request with both is refused.
    public var body: RequestBody? {
        get { storage.values.body }
        set { storage.values.body = newValue }
    }

    /// How the response's body is delivered; ``BodyDelivery/buffered`` by default.
    public var delivery: BodyDelivery {
        get { storage.values.delivery }
        set { storage.values.delivery = newValue }
    }

    /// The reporter of the bytes sent and received; `nil` for none.
    public var reporter: TransferReporter? {
        get { storage.values.reporter }
        set { storage.values.reporter = newValue }
    }

    /// The attempts of the call so far, oldest first; the last is the one that this request is a part of.
    ///
    /// Never empty. A policy that sends the request again appends an attempt, and sets the result's
    /// ``TransportResponse/attempts``.
    public var attempts: [Attempt] {
        get { storage.values.attempts.isEmpty ? [.first] : storage.values.attempts }
        set { storage.values.attempts = newValue }
    }

    /// The time limit of the attempt; `nil` if it has none of its own.
    var attemptLimit: AttemptLimit? {
        get { storage.values.attemptLimit }
        set { storage.values.attemptLimit = newValue }
    }

    /// The jars whose cookies the request has, and that store those of its response; empty if there are none.
    ///
    /// Without cookies as well, the response to such a request is for the user of the jar alone.
    var cookieJars: [ObjectIdentifier] {
        get { storage.values.cookieJars }
        _modify { yield &storage.values.cookieJars }
    }

    /// Whether a redirect from another origin led here, now or at an earlier hop.
    ///
    /// Such a request may not use a route into a Unix socket.
    package var isForeignRedirect: Bool {
        get { storage.values.isForeignRedirect }
        set { storage.values.isForeignRedirect = newValue }
    }

    /// Whether a redirect is followed, so that nobody gets its body.
    package var followsRedirects: Bool {
        get { storage.values.followsRedirects }
        set { storage.values.followsRedirects = newValue }
    }

    /// The attempt that this request is a part of, without creating the list.
    var attempt: Attempt { storage.values.attempts.last ?? .first }

    /// Whether the transport decompresses the response, unless it does so in a way of its own.
    package var decodesContent: Bool {
        options.decompression.isOn
            && ["Accept-Encoding", "Range"].allSatisfy { urlRequest.value(forHTTPHeaderField: $0) == nil }
    }

    /// Returns the request at another place on its way.
    func observed(_ observation: Observation) -> TransportRequest { TransportRequest(storage: storage, observation) }

    /// The request for those that keep it to describe it: without what sends and receives the bodies, and unobserved.
    var described: TransportRequest {
        body == nil && reporter == nil ? TransportRequest(storage: storage, nil) : withoutBodies
    }

    // Out of line, because most requests have none.
    @inline(never)
    private var withoutBodies: TransportRequest {
        var request = TransportRequest(storage: storage, nil)
        request.body = nil
        request.reporter = nil
        return request
    }

    /// The number of ``attempts``, without creating the list.
    var attemptCount: Int { max(1, storage.values.attempts.count) }

    private init(storage: CopyOnWrite<Values>, _ observation: Observation?) {
        self.storage = storage
        self.observation = observation
    }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The method, URL, header fields and body.
    ///   - options: The limits that apply.
    ///   - deadline: The deadline of the whole call.
    public init(
        _ urlRequest: URLRequest,
        options: RequestOptions = RequestOptions(),
        deadline: ContinuousClock.Instant? = nil
    ) {
        storage = CopyOnWrite(Values(urlRequest: urlRequest, options: options, deadline: deadline))
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
        let redaction = Redaction.descriptions.hiding(options.sensitiveHeaders)
        return [
            "method": urlRequest.httpMethod ?? "GET", "url": redaction.location(of: urlRequest.url),
            "headers": redaction.lines(of: urlRequest),
            "body": body?.description ?? "\(urlRequest.httpBody?.count ?? 0) bytes",
        ]
    }
}
