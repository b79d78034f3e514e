/// An exchange of a call, as observers see it: one request that is sent to a server, and its response.
///
/// Each exchange is one object, which observers can compare by identity.
public final class ObservedExchange: Sendable {
    /// The call that the exchange is a part of.
    public let call: ObservedCall
    /// The position among the exchanges of the call; 1 for the first.
    public let number: Int
    /// The attempt that the exchange is a part of, and why it was made.
    public let attempt: Attempt
    /// The number of redirects that led to the exchange.
    public let redirectCount: Int
    /// When the exchange began, on the call's clock.
    public let startedAt: ContinuousClock.Instant

    /// The request, before observers add header fields; it holds secrets.
    package let urlRequest: URLRequest
    /// Names of secret header fields, in addition to the standard ones.
    package let sensitiveHeaders: [String]
    /// What keeps the beginning of the request's body, unless it is in memory; `nil` if no observer wants it.
    let tap: BodyTap?
    /// Taken by whoever reports the end, so that nobody else does, and an observer can keep the exchange without keeping
    /// itself.
    ///
    /// Under the call's lock.
    private nonisolated(unsafe) var observers: ObserverList?

    /// Creates the exchange that a call makes next.
    ///
    /// - Parameters:
    ///   - request: The request that is sent.
    ///   - call: The call.
    ///   - number: The number that the call gave.
    ///   - redirectCount: The number of redirects before it.
    ///   - observers: The observers, until somebody takes them.
    init(
        _ request: TransportRequest,
        of call: ObservedCall,
        number: Int,
        redirectCount: Int,
        _ observers: ObserverList?
    ) {
        self.call = call
        self.number = number
        self.redirectCount = redirectCount
        self.observers = observers
        attempt = request.attempt
        startedAt = call.time.now
        urlRequest = request.urlRequest
        tap = request.body?.tap
        sensitiveHeaders = request.options.sensitiveHeaders
    }

    /// The method that is sent.
    public var method: String { urlRequest.httpMethod ?? "GET" }

    /// The URL that is requested, without user information, query and fragment.
    public var location: String { Redaction.descriptions.location(of: urlRequest.url) }

    /// The URL's scheme, in lower case; empty if it has none.
    public var scheme: String { urlRequest.url?.scheme?.lowercased() ?? "" }

    /// The URL's host; empty if it has none.
    public var host: String { urlRequest.url?.host ?? "" }

    /// The URL's port, or that of its scheme.
    public var port: Int { urlRequest.url?.port ?? (scheme == "https" ? 443 : 80) }

    /// The scheme, host and port in lower case, always with the port; `nil` if nothing can be sent to the URL.
    var origin: String? { urlRequest.url.flatMap { try? RequestTarget($0).origin } }

    // MARK: Who reports

    /// Takes the observers, to which the caller reports from now on, up to the end; `nil` if they are taken.
    func takeObservers() -> ObserverList? { call.guarded { observers.take() } }

    /// Lets a transport report what happens, up to the end.
    ///
    /// - Parameter request: The request.
    /// - Returns: What reports. If the exchange has one already, because something between the observers and the transport
    ///   sends a request twice, that of another exchange of the same call, which has begun; `nil` if that call has ended.
    func driven(for request: TransportRequest) -> ExchangeReporter? {
        if let observers = takeObservers() { return ExchangeReporter(self, observers) }
        guard let (number, observers) = call.next() else { return nil }
        let other = ObservedExchange(request, of: call, number: number, redirectCount: redirectCount, nil)
        observers.report(.exchangeStarted, of: other)
        return ExchangeReporter(other, observers)
    }
}

extension ObservedExchange: Redacted {
    /// The numbers, the method and the location.
    package var shown: KeyValuePairs<String, Any> {
        ["call": call.id, "number": number, "method": method, "location": location]
    }
}

extension ObservedOutcome {
    /// Creates the outcome of an exchange or a call whose body ended.
    init(_ end: ResponseBody.End, _ statusCode: StatusCode) {
        self =
            switch end {
            case .complete: .response(statusCode)
            case .failed(let error): ObservedOutcome(error)
            case .abandoned: .cancelled
            }
    }
}
