/// An observer that counts calls, exchanges and connections, and measures how long they take.
///
/// ```swift
/// let statistics = Statistics()
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [statistics]
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// ``snapshot()`` returns the statistics; a ``Snapshot`` also shows them as readable text and for Prometheus. They start at
/// zero when the object is created, and are counted for each origin: the scheme, the host and the port. Several dispatchers can
/// share a ``Statistics`` object.
///
/// The memory is bounded: the first ``maximumOrigins`` origins are counted separately, and all others together.
///
/// Of a request, only its origin is kept, and of an error only its name.
public final class Statistics: ExchangeObserver {
    /// The number of origins that are counted separately.
    public let maximumOrigins: Int

    private let table: Locked<StatisticsTable<ObjectIdentifier>>

    /// Creates empty statistics.
    ///
    /// - Parameter maximumOrigins: The number of origins that are counted separately; a negative one counts as zero.
    public init(maximumOrigins: Int = 100) {
        self.maximumOrigins = max(0, maximumOrigins)
        table = Locked(StatisticsTable(maximumOrigins: maximumOrigins))
    }

    /// Returns the current statistics.
    ///
    /// - Returns: The statistics; later events do not change them.
    public func snapshot() -> Snapshot {
        let (calls, names, counts) = table.withLock { ($0.calls, $0.names, $0.counts) }
        return Snapshot(
            calls: calls,
            origins: Dictionary(uniqueKeysWithValues: zip(names, counts.dropFirst())),
            other: counts[0]
        )
    }

    /// Counts an event.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ExchangeEvent) {
        switch event.kind {
        case .callStarted:
            table.withLock { $0.callStarted(ObjectIdentifier(event.call)) }
        case .callEnded(let outcome):
            table.withLock { $0.callEnded(ObjectIdentifier(event.call), ObservedCall.Ending(outcome)) }
        case .retryPlanned:
            table.withLock { $0.retryPlanned(ObjectIdentifier(event.call)) }
        case .redirected:
            table.withLock { $0.redirected(ObjectIdentifier(event.call)) }
        case .webSocketMessage(let message):
            let (direction, count) = (message.direction, message.byteCount)
            table.withLock { $0.message(ObjectIdentifier(event.call), direction, byteCount: count) }
        default:
            if let exchange = event.exchange { observe(event.kind, exchange) }
        }
    }

    /// Counts an event of a connection.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ConnectionEvent) {
        table.withLock { $0.connectionChanged(event.kind, of: event.origin) }
    }

    private func observe(_ kind: ExchangeEvent.Kind, _ exchange: ObservedExchange) {
        let id = ObjectIdentifier(exchange)
        switch kind {
        case .exchangeStarted:
            let origin = exchange.origin
            table.withLock { $0.exchangeStarted(id, of: ObjectIdentifier(exchange.call), to: origin) }
        case .queued:
            table.withLock { $0.queued(id) }
        case .connectionTaken(let connection):
            table.withLock { $0.connectionTaken(id, isReused: connection.isReused) }
        case .exchangeEnded(let summary):
            let end = StatisticsTable<ObjectIdentifier>.End(summary)
            table.withLock { $0.exchangeEnded(id, end) }
        default: return
        }
    }
}

extension Statistics: Redacted {
    /// The statistics as readable text.
    public var description: String { snapshot().description }

    /// The statistics.
    package var shown: KeyValuePairs<String, Any> { ["snapshot": snapshot()] }
}
