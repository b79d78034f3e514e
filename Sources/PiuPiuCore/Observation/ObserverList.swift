/// The observers of a dispatcher, and the data that its calls need to report to them.
package final class ObserverList: Sendable {
    /// The transport's clock; `nil` for real time.
    let clock: ObservationClock?
    /// The largest number of bytes of a body that an observer needs; 0 if none does.
    let bodyLimit: Int
    /// The first observer to call; `nil` if there is none.
    let first: ObserverLink?
    private let lastID = Locked(0)
    private let lastConnectionID = Locked(0)

    /// Creates a list that calls observers in their order; the clock is `nil` for real time.
    package init(_ observers: [any ExchangeObserver], clock: TransferClock?) {
        first = observers.reversed().reduce(nil) { ObserverLink($1, next: $0) }
        bodyLimit = first?.largestBodyLimit ?? 0
        self.clock = clock.map(ObservationClock.init)
    }

    /// Returns the number of the next call.
    func takeID() -> Int { Self.next(lastID) }

    /// Returns the number of the next connection.
    func takeConnectionID() -> Int { Self.next(lastConnectionID) }

    private static func next(_ last: Locked<Int>) -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }

    /// Starts to observe a call.
    package func begin(_ request: TransportRequest) -> ObservedCall {
        let call = ObservedCall(request.described, self)
        report(ExchangeEvent(call, .callStarted))
        return call
    }

    func report(_ event: ExchangeEvent) { first?.report(event) }

    /// Reports an event of an exchange.
    func report(_ kind: ExchangeEvent.Kind, of exchange: ObservedExchange) { report(ExchangeEvent(exchange, kind)) }

    func report(_ event: ConnectionEvent) { first?.report(event) }

    package func report(_ event: EventLoopEvent) { first?.report(event) }

    /// Adds the header fields of the observers to a request.
    func addFields(to request: inout TransportRequest, for exchange: ObservedExchange) {
        first?.addFields(to: &request, for: exchange)
    }
}

/// An observer, and the next ones.
///
/// It is a linked list rather than an array: all threads of all calls report to the same observers, and a loop over an array
/// would count references to each for each event, which is expensive for threads that report at the same time.
final class ObserverLink: Sendable {
    private let observer: any ExchangeObserver
    /// The number of bytes of a body that the observer needs.
    private let bodyLimit: Int
    private let next: ObserverLink?

    init(_ observer: any ExchangeObserver, next: ObserverLink?) {
        self.observer = observer
        self.next = next
        bodyLimit = max(0, observer.bodyLimit)
    }

    /// The largest limit of this observer and the next ones.
    var largestBodyLimit: Int { max(bodyLimit, next?.largestBodyLimit ?? 0) }

    func report(_ event: ExchangeEvent) {
        observer.observe(event)
        next?.report(event)
    }

    func report(_ event: ConnectionEvent) {
        observer.observe(event)
        next?.report(event)
    }

    func report(_ event: EventLoopEvent) {
        observer.observe(event)
        next?.report(event)
    }

    /// Reports the summary of an exchange, with as much of the bodies as each observer needs.
    func report(_ summary: ExchangeSummary, of exchange: ObservedExchange) {
        observer.observe(ExchangeEvent(exchange, .exchangeEnded(summary.limitingBodies(to: bodyLimit))))
        next?.report(summary, of: exchange)
    }

    func addFields(to request: inout TransportRequest, for exchange: ObservedExchange) {
        let fields = observer.headerFields(for: exchange)
        // Foundation on Linux traps if code changes a request without a URL.
        if !fields.isEmpty, request.urlRequest.url != nil {
            for field in fields { request.urlRequest.setValue(nil, forHTTPHeaderField: field.name) }
            for field in fields { request.urlRequest.add(field) }
        }
        next?.addFields(to: &request, for: exchange)
    }
}

/// A clock of the observers' transport that is not real time.
///
/// A separate object: calls that an observer keeps must not keep the observer alive.
final class ObservationClock: Sendable {
    let clock: TransferClock

    init(_ clock: TransferClock) {
        self.clock = clock
    }

    // Not inlined, because it is rare.
    @inline(never)
    var now: ObservationTime { ObservationTime(clock.instant) }
}

/// The stage of a request, for its observers.
package enum Observation: Sendable {
    /// In a call, before any redirect.
    case call(ObservedCall)
    /// In a call, after redirects.
    case redirect(ObservedRedirect)
    /// In an exchange.
    case exchange(ObservedExchange)

    package var call: ObservedCall {
        switch self {
        case .call(let call): call
        case .redirect(let redirect): redirect.call
        case .exchange(let exchange): exchange.call
        }
    }

    var redirectCount: Int {
        switch self {
        case .call: 0
        case .redirect(let redirect): redirect.count
        case .exchange(let exchange): exchange.redirectCount
        }
    }

    package var exchange: ObservedExchange? {
        if case .exchange(let exchange) = self { exchange } else { nil }
    }
}

/// A call, after a number of redirects.
package final class ObservedRedirect: Sendable {
    let call: ObservedCall
    let count: Int

    init(_ call: ObservedCall, count: Int) {
        self.call = call
        self.count = count
    }
}
