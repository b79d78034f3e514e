/// An exchange of a call, as observers see it: one request that is sent to a server, and its response.
///
/// Each exchange is one object, which observers can compare by identity.
public final class ObservedExchange: Sendable {
    /// The state of its reporter.
    ///
    /// It needs no lock, because only the reporter uses it, which exists once and is used in one place at a time: the queue
    /// that passes the exchange on to another thread orders their accesses.
    // Unchecked in release builds: no code that changes it calls an observer.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    nonisolated(unsafe) var notes: ExchangeNotes
    /// When the exchange began.
    private let start: ObservationTime

    /// The call that the exchange is a part of.
    public let call: ObservedCall
    /// The position among the exchanges of the call; 1 for the first.
    public let number: Int
    /// The attempt that the exchange belongs to, and its cause.
    public let attempt: Attempt
    /// The number of redirects that led to the exchange.
    public let redirectCount: Int
    /// When the exchange began, on the call's clock.
    public var startedAt: ContinuousClock.Instant { start.instant }

    /// The request, before observers add header fields; `nil` if it is the call's.
    private let ownRequest: TransportRequest?
    private var request: TransportRequest { ownRequest ?? call.request }
    /// Keeps the beginning of the request's body, unless it is in memory; `nil` if no observer needs it.
    let tap: BodyTap?
    /// The reporter takes them, so that there is only one reporter, and an observer that keeps the exchange does not keep
    /// itself alive.
    ///
    /// Guarded by the call's lock, which makes `nonisolated(unsafe)` sound.
    private nonisolated(unsafe) var observers: ObserverList?

    /// Creates the next exchange of a call, which gave its number; by default, with the request of the call.
    init(
        _ request: TransportRequest?,
        of call: ObservedCall,
        number: Int,
        redirectCount: Int,
        tap: BodyTap? = nil,
        start: ObservationTime? = nil,
        _ observers: ObserverList
    ) {
        self.call = call
        self.number = number
        self.redirectCount = redirectCount
        self.start = start ?? ObservationTime.now(observers.clock)
        ownRequest = request
        attempt = request?.call.attempt ?? .first
        self.tap = tap
        notes = ExchangeNotes(observers)
        self.observers = observers
    }

    /// The request, before observers add header fields; it contains secrets.
    package var urlRequest: URLRequest { request.urlRequest }

    /// Names of secret header fields, in addition to the standard ones.
    package var sensitiveHeaders: [String] { request.options.sensitiveHeaders }

    /// The request, and the call's, whose secrets another server may know from a redirect; without their bodies.
    package var sentRequests: [URLRequest] {
        [call.request.urlRequest, urlRequest].map { request in
            var request = request
            if request.httpBody != nil { request.httpBody = nil }
            return request
        }
    }

    /// A finder of the requests' secrets in bodies that repeat them.
    package var secretsInBodies: SecretFinder {
        let redaction = Redaction(additionalNames: sensitiveHeaders)
        var texts = SecretTexts()
        for request in sentRequests { texts.add(request, isSecret: redaction.isSensitive) }
        return texts.finderInBodies
    }

    /// The method of the request.
    public var method: String { urlRequest.httpMethod ?? "GET" }

    /// The URL of the request, without user information, query and fragment.
    public var location: String { Redaction.standard.location(of: urlRequest.url) }

    /// The URL's scheme, in lower case; empty if it has none.
    public var scheme: String { urlRequest.url?.scheme?.lowercased() ?? "" }

    /// The URL's host; empty if it has none.
    public var host: String { urlRequest.url?.host ?? "" }

    /// The URL's port, or that of its scheme.
    public var port: Int { urlRequest.url?.port ?? (scheme == "https" ? 443 : 80) }

    /// The scheme, host and port in lower case, always with the port; `nil` if no request can be sent to the URL.
    package var origin: String? { request.target?.origin }

    // MARK: The reporter

    /// Takes the reporter, and the observers, which the caller keeps alive while it uses the reporter; `nil` if the reporter
    /// was already taken.
    func takeReporter() -> (reporter: ExchangeReporter, observers: ObserverList)? {
        guard let observers = call.guarded({ observers.take() }) else { return nil }
        return (ExchangeReporter(self), observers)
    }

    /// Returns a reporter for a transport, which reports all events to the end, and the observers, which the transport keeps
    /// alive while it uses the reporter.
    ///
    /// - Parameter request: The request.
    /// - Returns: The reporter, and the observers, which the transport keeps as long as it uses the reporter. If the exchange
    ///   has a reporter already, because something between the observers and the transport sends a request twice, that of
    ///   another exchange of the same call, which has begun; `nil` if that call has ended.
    package func driven(for request: TransportRequest) -> (reporter: ExchangeReporter, observers: ObserverList)? {
        if let taken = takeReporter() { return taken }
        guard let observers = call.openObservers, let number = call.next() else { return nil }
        let other = ObservedExchange(
            request.described,
            of: call,
            number: number,
            redirectCount: redirectCount,
            tap: request.body?.tap,
            observers
        )
        observers.report(.exchangeStarted, of: other)
        return other.takeReporter()
    }

    /// The time since the exchange began.
    var duration: Duration { start.duration(to: ObservationTime.now(call.controlledClock)) }
}

extension ObservedExchange: Redacted {
    /// The numbers, the method and the location.
    package var shown: KeyValuePairs<String, Any> {
        ["call": call.id, "number": number, "method": method, "location": location]
    }
}

extension ObservedOutcome {
    /// Creates the outcome of an exchange or a call whose body ended.
    package init(_ end: ResponseBody.End, _ statusCode: StatusCode) {
        self =
            switch end {
            case .complete: .response(statusCode)
            case .failed(let error): ObservedOutcome(error)
            case .abandoned: .cancelled
            }
    }
}
