/// The observers of a dispatcher, and what its calls need to report to them.
final class ObserverList: Sendable {
    let clock: TransferClock
    private let observers: [any ExchangeObserver]
    private let lastID = Locked(0)

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - observers: The observers, which are told in this order.
    ///   - clock: The transport's clock; `nil` for real time.
    init(_ observers: [any ExchangeObserver], clock: TransferClock?) {
        self.observers = observers
        self.clock = clock ?? .real
    }

    func takeID() -> Int {
        lastID.withLock { lastID in
            lastID += 1
            return lastID
        }
    }

    /// Begins to observe a call.
    func begin(_ request: TransportRequest) -> ObservedCall {
        let call = ObservedCall(request, self)
        call.report(.callStarted)
        return call
    }

    func report(_ event: ExchangeEvent) {
        for observer in observers { observer.observe(event) }
    }

    /// Adds the header fields of the observers to a request.
    func addFields(to request: inout URLRequest, for exchange: ObservedExchange) {
        for observer in observers {
            let fields = observer.headerFields(for: exchange)
            guard !fields.isEmpty else { continue }
            for name in Set(fields.map { $0.name.lowercased() }) { request.setValue(nil, forHTTPHeaderField: name) }
            for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        }
    }
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
