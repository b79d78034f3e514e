/// A call of a dispatcher, as observers see it.
///
/// Each call is one object, which observers can compare by identity or by ``id``.
public final class ObservedCall: Sendable {
    /// How a call ended, without details.
    enum Ending {
        case response, failure, cancelled
    }

    private struct State {
        var exchangeCount = 0
        var lastFailure: String?
        /// `nil` once the call is over, so that an observer can keep it without keeping itself.
        var observers: ObserverList?
    }

    /// A number that no other call of the same dispatcher has.
    public let id: Int
    /// When the call began, on ``clock``.
    public let startedAt: ContinuousClock.Instant

    let time: ObservationClock
    private let urlRequest: URLRequest
    private let options: RequestOptions
    private let state: Locked<State>

    init(_ request: TransportRequest, _ observers: ObserverList) {
        id = observers.takeID()
        time = observers.clock
        startedAt = time.now
        state = Locked(State(observers: observers))
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
    public var clock: TransferClock { time.clock }

    /// The time since the call began.
    public var duration: Duration { startedAt.duration(to: time.now) }

    // MARK: What happens

    /// Returns the number of the next exchange, and the observers; `nil` if the call has ended, although its work may go on.
    func next() -> (number: Int, observers: ObserverList)? {
        state.withLock { state in
            guard let observers = state.observers else { return nil }
            state.exchangeCount += 1
            return (state.exchangeCount, observers)
        }
    }

    /// Runs a closure under the lock, which guards a part of each exchange too.
    func guarded<Result: Sendable>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }

    /// The name of the failure of the exchange that ended last; `nil` if it had a response, and if none has ended.
    var lastFailure: String? { state.withLock { $0.lastFailure } }

    /// Records that an exchange ended.
    func exchangeEnded(_ outcome: ObservedOutcome) {
        let failure = outcome.failureName
        state.withLock { $0.lastFailure = failure }
    }

    /// Reports something that happens before the end of the call; nothing afterwards.
    func report(_ kind: ExchangeEvent.Kind) {
        state.withLock { $0.observers }?.report(ExchangeEvent(call: self, exchange: nil, kind: kind))
    }

    /// Ends the call, unless it has already ended.
    func end(_ outcome: ObservedOutcome) {
        let observers = state.withLock { $0.observers.take() }
        observers?.report(ExchangeEvent(call: self, exchange: nil, kind: .callEnded(outcome)))
    }
}

extension ObservedCall.Ending {
    init(_ outcome: ObservedOutcome) {
        self =
            switch outcome {
            case .response: .response
            case .failure: .failure
            case .cancelled: .cancelled
            }
    }
}

extension ObservedCall: Redacted {
    /// The number, the method and the location.
    package var shown: KeyValuePairs<String, Any> { ["id": id, "method": method, "location": location] }
}
