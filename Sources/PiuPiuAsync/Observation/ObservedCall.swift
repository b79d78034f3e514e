import Synchronization

/// A call of a dispatcher, as observers see it.
///
/// Each call is one object, which observers can compare by identity or by ``id``.
public final class ObservedCall: Sendable {
    /// A number that no other call of the same dispatcher has.
    public let id: Int
    /// When the call began, on ``clock``.
    public let startedAt: ContinuousClock.Instant

    let observers: ObserverList
    private let urlRequest: URLRequest
    private let options: RequestOptions
    private let exchangeCount = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    init(_ request: TransportRequest, _ observers: ObserverList) {
        id = observers.takeID()
        startedAt = observers.now
        self.observers = observers
        urlRequest = request.urlRequest
        options = request.options
    }

    /// The request's method.
    public var method: String { urlRequest.httpMethod ?? "GET" }

    /// The request's URL, without user information, query and fragment.
    public var location: String { Redaction.descriptions.location(of: urlRequest.url) }

    /// The pattern that the request's path follows, such as `/users/{id}`; see ``RequestOptions/routeTemplate``.
    public var routeTemplate: String? { options.routeTemplate }

    /// The clock with which times are measured: the transport's.
    public var clock: TransferClock { observers.clock }

    /// The time since the call began.
    public var duration: Duration { startedAt.duration(to: observers.now) }

    // MARK: What happens

    /// Returns the number of the next exchange.
    func takeNumber() -> Int { exchangeCount.add(1, ordering: .relaxed).newValue }

    func report(_ kind: ExchangeEvent.Kind) {
        observers.report(ExchangeEvent(call: self, exchange: nil, kind: kind))
    }

    /// Ends the call, unless it has already ended.
    func end(_ outcome: ObservedOutcome) {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        report(.callEnded(outcome))
    }
}

extension ObservedCall: Redacted {
    /// The number, the method and the location.
    package var shown: KeyValuePairs<String, Any> { ["id": id, "method": method, "location": location] }
}
