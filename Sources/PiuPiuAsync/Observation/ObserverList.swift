/// The observers of a dispatcher, and what its calls need to report to them.
final class ObserverList: Sendable {
    let clock: ObservationClock
    /// The largest number of bytes of a body that an observer wants to see; 0 if none does.
    let bodyLimit: Int
    private let observers: [any ExchangeObserver]
    /// The number of bytes of a body that each observer wants to see.
    private let bodyLimits: [Int]
    private let lastID = Locked(0)
    private let lastConnectionID = Locked(0)

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - observers: The observers, which are told in this order.
    ///   - clock: The transport's clock; `nil` for real time.
    init(_ observers: [any ExchangeObserver], clock: TransferClock?) {
        self.observers = observers
        bodyLimits = observers.map(\.bodyLimit)
        bodyLimit = bodyLimits.reduce(0) { max($0, $1) }
        self.clock = ObservationClock(clock)
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

    /// Begins to observe a call.
    func begin(_ request: TransportRequest) -> ObservedCall {
        let call = ObservedCall(request, self)
        report(ExchangeEvent(call: call, exchange: nil, kind: .callStarted))
        return call
    }

    func report(_ event: ExchangeEvent) {
        for observer in observers { observer.observe(event) }
    }

    /// Reports an event of an exchange.
    func report(_ kind: ExchangeEvent.Kind, of exchange: ObservedExchange) {
        report(ExchangeEvent(call: exchange.call, exchange: exchange, kind: kind))
    }

    /// Reports the summary of an exchange, with as much of the bodies as each observer wants.
    func report(_ summary: ExchangeSummary, of exchange: ObservedExchange) {
        guard bodyLimit > 0 else { return report(.exchangeEnded(summary), of: exchange) }
        for (observer, limit) in zip(observers, bodyLimits) {
            let summary = summary.limitingBodies(to: limit)
            observer.observe(ExchangeEvent(call: exchange.call, exchange: exchange, kind: .exchangeEnded(summary)))
        }
    }

    func report(_ event: ConnectionEvent) {
        for observer in observers { observer.observe(event) }
    }

    /// Adds the header fields of the observers to a request.
    func addFields(to request: inout TransportRequest, for exchange: ObservedExchange) {
        for observer in observers {
            let fields = observer.headerFields(for: exchange)
            // Foundation on Linux traps if a request without a URL is changed.
            guard !fields.isEmpty, request.urlRequest.url != nil else { continue }
            for field in fields { request.urlRequest.setValue(nil, forHTTPHeaderField: field.name) }
            for field in fields { request.urlRequest.add(field) }
        }
    }
}

/// The clock of the observers' transport.
///
/// An object of its own: calls that an observer keeps must not keep the observer.
final class ObservationClock: Sendable {
    let clock: TransferClock
    /// Whether the clock is real time, which is faster to ask directly.
    private let isRealTime: Bool

    init(_ clock: TransferClock?) {
        self.clock = clock ?? .real
        isRealTime = clock == nil
    }

    var now: ContinuousClock.Instant { isRealTime ? .now : clock.instant }
}

/// Where a request is on its way, for its observers.
enum Observation: Sendable {
    /// In a call, before any redirect.
    case call(ObservedCall)
    /// In a call, after redirects.
    case redirect(ObservedRedirect)
    /// In an exchange.
    case exchange(ObservedExchange)

    var call: ObservedCall {
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

    var exchange: ObservedExchange? {
        if case .exchange(let exchange) = self { exchange } else { nil }
    }
}

/// A call, after a number of redirects.
final class ObservedRedirect: Sendable {
    let call: ObservedCall
    let count: Int

    init(_ call: ObservedCall, count: Int) {
        self.call = call
        self.count = count
    }
}
