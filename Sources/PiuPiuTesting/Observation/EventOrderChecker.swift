import PiuPiuAsync

/// An observer that checks the order of the events of one dispatcher, for tests of transports, interceptors and dispatchers.
///
/// ```swift
/// let checker = EventOrderChecker()
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [checker]
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// _ = try await dispatcher.data(for: request)
/// await dispatcher.shutdown()
/// #expect(checker.order.violations == [])
/// #expect(checker.order.openExchangeCount == 0)
/// ```
public final class EventOrderChecker: ExchangeObserver {
    private let state = Locked(EventOrder())

    /// Creates a checker that has seen no events.
    public init() {}

    /// The results so far.
    public var order: EventOrder { state.withLock { $0 } }

    /// Checks an event.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ExchangeEvent) {
        state.withLock { $0.take(event.kind, call: event.call.id, exchange: event.exchange?.number) }
    }
}
