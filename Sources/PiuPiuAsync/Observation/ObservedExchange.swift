/// An exchange of a call, as observers see it: one request that is sent to a server, and its response.
///
/// Each exchange is one object, which observers can compare by identity.
public final class ObservedExchange: Sendable {
    private struct State {
        var connection: ObservedConnection?
        var statusCode: StatusCode?
        var metrics: ExchangeMetrics?
        var isDriven = false
        /// `nil` once the exchange is over, so that an observer can keep it without keeping itself.
        var observers: ObserverList?
    }

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

    private let urlRequest: URLRequest
    private let state: Locked<State>

    init(_ request: TransportRequest, of call: ObservedCall, redirectCount: Int, _ observers: ObserverList?) {
        self.call = call
        self.redirectCount = redirectCount
        number = call.takeNumber()
        attempt = request.attempt
        startedAt = call.time.now
        state = Locked(State(observers: observers))
        urlRequest = request.urlRequest
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

    // MARK: What happens

    func report(_ kind: ExchangeEvent.Kind) {
        state.withLock { $0.observers }?.report(ExchangeEvent(call: call, exchange: self, kind: kind))
    }

    /// Records that the transport reports what happens, and will report the end.
    ///
    /// - Returns: The exchange; another one of the same call, which has begun, if it is driven already, because something
    ///   between the observers and the transport sends a request twice.
    func driven(for request: TransportRequest) -> ObservedExchange {
        let isFirst = state.withLock { state in
            defer { state.isDriven = true }
            return !state.isDriven
        }
        guard !isFirst else { return self }
        let other = ObservedExchange(request, of: call, redirectCount: redirectCount, call.observers)
        other.state.withLock { $0.isDriven = true }
        other.report(.exchangeStarted)
        return other
    }

    /// Records what a transport threw that reports nothing itself.
    func failed(_ error: any Error) {
        if !state.withLock({ $0.isDriven }) { end(ObservedOutcome(error)) }
    }

    /// Records that the exchange has a connection, the first one or another.
    func connectionTaken(_ connection: ObservedConnection) {
        let isAnother = state.withLock { state in
            defer { state.connection = connection }
            return state.connection != nil
        }
        if isAnother { report(.restarted) }
        report(.connectionTaken(connection))
    }

    /// Records that the final head arrived.
    func headArrived(_ statusCode: StatusCode) {
        state.withLock { $0.statusCode = statusCode }
        report(.head(statusCode))
    }

    /// Records what a transport returned that reports nothing itself.
    func returned(_ response: TransportResponse) {
        guard !state.withLock({ $0.isDriven }) else { return }
        let statusCode = response.head.statusCode
        headArrived(statusCode)
        let metrics = response.head.metrics
        guard let stream = response.stream else { return end(.response(statusCode), metrics) }
        stream.onEnd { self.end(ObservedOutcome($0, statusCode), metrics) }
    }

    /// Records what was measured so far.
    func measured(_ metrics: ExchangeMetrics) {
        state.withLock { state in
            state.metrics = metrics
            // Nothing was opened, but nothing was used either.
            if state.connection == nil { state.metrics?.isReusedConnection = false }
        }
    }

    /// Ends the exchange, unless it has already ended.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - metrics: What was measured.
    func end(_ outcome: ObservedOutcome, _ metrics: ExchangeMetrics? = nil) {
        let last: State? = state.withLock { state in
            guard state.observers != nil else { return nil }
            defer { state.observers = nil }
            return state
        }
        guard let last, let observers = last.observers else { return }
        let summary = ExchangeSummary(
            outcome: outcome,
            statusCode: last.statusCode,
            connection: last.connection,
            metrics: metrics ?? last.metrics,
            duration: startedAt.duration(to: call.time.now)
        )
        call.exchangeEnded(outcome)
        observers.report(ExchangeEvent(call: call, exchange: self, kind: .exchangeEnded(summary)))
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
