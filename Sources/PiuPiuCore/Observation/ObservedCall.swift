/// A call of a dispatcher, as observers see it.
///
/// Each call is one object, which observers can compare by identity or by ``id``.
public final class ObservedCall: Sendable {
    /// How a call ended, without details.
    package enum Ending {
        case response, failure, cancelled
    }

    private struct State {
        var exchangeCount = 0
        var lastFailure: String?
        /// `nil` after the end of the call, so that an observer that keeps the call does not keep itself alive.
        var observers: ObserverList?
    }

    /// A number that no other call of the same dispatcher has.
    public let id: Int
    /// When the call began, on ``clock``.
    public var startedAt: ContinuousClock.Instant { start.instant }

    /// When the call began.
    let start: ObservationTime
    /// `nil` for real time.
    let controlledClock: ObservationClock?
    /// A description of the request.
    let request: TransportRequest
    /// Guarded by the lock that the call shares with others, except in ``takeFirstNumber()``.
    // `nonisolated(unsafe)` is sound because of this lock. Unchecked in release builds: the closures call no other code.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private nonisolated(unsafe) var state: State

    /// Creates a call from a description of its request.
    init(_ request: TransportRequest, _ observers: ObserverList) {
        id = observers.takeID()
        controlledClock = observers.clock
        start = ObservationTime.now(controlledClock)
        state = State(observers: observers)
        self.request = request
    }

    /// The request's method.
    public var method: String { request.urlRequest.httpMethod ?? "GET" }

    /// The request's URL, without user information, query and fragment.
    public var location: String { Redaction.standard.location(of: request.urlRequest.url) }

    /// The request's URL, without user information, query and fragment; `nil` if it has none.
    public var url: URL? { request.urlRequest.url == nil ? nil : URL(string: location) }

    /// The pattern of the request's path, such as `/users/{id}`; see ``RequestOptions/routeTemplate``.
    public var routeTemplate: String? { request.options.routeTemplate }

    /// The clock of all times: the transport's.
    public var clock: TransferClock { controlledClock?.clock ?? .real }

    /// The time since the call began.
    public var duration: Duration { start.duration(to: ObservationTime.now(controlledClock)) }

    // MARK: Events

    /// Returns the number of the next exchange; `nil` if the call has ended, although its work may continue.
    func next() -> Int? {
        guarded {
            guard state.observers != nil else { return nil }
            state.exchangeCount += 1
            state.lastFailure = nil
            return state.exchangeCount
        }
    }

    /// Returns the number of the exchange that begins together with the call.
    ///
    /// It needs no lock: only observers can have the call yet, and they do not use its state.
    func takeFirstNumber() -> Int {
        state.exchangeCount = 1
        return 1
    }

    /// The observers; `nil` if the call has ended.
    var openObservers: ObserverList? { guarded { state.observers } }

    /// Runs a closure under the lock, which also guards a part of each exchange.
    @inline(__always)
    func guarded<Result>(_ body: () -> Result) -> Result { LockStripes.withLock(of: self, body) }

    /// The name of the last failure of an exchange; `nil` if none has failed since the newest one began.
    package var lastFailure: String? { guarded { state.lastFailure } }

    /// Records the name of an exchange's failure.
    func exchangeFailed(_ name: String) { guarded { state.lastFailure = name } }

    /// Reports an event before the end of the call; does nothing after the end.
    package func report(_ kind: ExchangeEvent.Kind) {
        openObservers?.report(ExchangeEvent(self, kind))
    }

    /// The number of bytes of a body or a message that an observer wants to see; 0 after the end.
    package var bodyLimit: Int { openObservers?.bodyLimit ?? 0 }

    /// Ends the call, unless it has already ended.
    package func end(_ outcome: ObservedOutcome) {
        let observers = guarded { state.observers.take() }
        observers?.report(ExchangeEvent(self, .callEnded(outcome)))
    }
}

extension ObservedCall.Ending {
    package init(_ outcome: ObservedOutcome) {
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
