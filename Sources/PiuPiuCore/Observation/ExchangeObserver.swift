/// An observer of a dispatcher's calls, exchanges and connections.
///
/// ```swift
/// struct EndedExchanges: ExchangeObserver {
///     let summaries: AsyncStream<ExchangeSummary>.Continuation
///     func observe(_ event: ExchangeEvent) {
///         if case .exchangeEnded(let summary) = event.kind { summaries.yield(summary) }
///     }
/// }
/// let (summaries, continuation) = AsyncStream<ExchangeSummary>.makeStream(bufferingPolicy: .bufferingNewest(1000))
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [EndedExchanges(summaries: continuation)]
/// ```
///
/// Each call of a dispatcher begins and ends with an event, and so does each exchange of a call: one for each attempt and for
/// each redirect that is followed. See ``ExchangeEvent/Kind`` for their order.
///
/// Observers run on the thread of the event, which is often the one that serves all connections. They must return quickly, must
/// not wait, and must not call the dispatcher. Do longer work on a queue or in a task. Events of one exchange never overlap;
/// those of different exchanges may occur at the same time, on different threads.
///
/// The events of a call's start, of its end unless it is a stream, and of an exchange's start are delivered in the caller's
/// task or in one that inherits its task-local values. A stream's end is delivered by the code that reads its body to the end,
/// releases it or cancels it. Without observers, no observer objects are created.
public protocol ExchangeObserver: Sendable {
    /// The number of bytes at the beginning of each body that the observer needs; 0, the default, for none.
    ///
    /// ``ExchangeSummary/requestBody`` and ``ExchangeSummary/responseBody`` contain them when an exchange ends. Until then,
    /// they stay in memory for each exchange in progress. The dispatcher reads this property once, when it is created; if no
    /// observer needs bodies, it keeps none. Bodies contain secrets: the observer is responsible for them.
    var bodyLimit: Int { get }

    /// Handles an event.
    ///
    /// - Parameter event: The event. Its descriptions show no secrets: URLs have no user information, query or fragment.
    func observe(_ event: ExchangeEvent)

    /// Handles an event of a connection.
    ///
    /// Only the transport for Linux reports connections. They outlive calls, and their events are not in the order of the
    /// calls: ``ConnectionEvent/Kind`` describes the order for one connection.
    ///
    /// - Parameter event: The event.
    func observe(_ event: ConnectionEvent)

    /// Handles an event of an event loop.
    ///
    /// It is called on the loop's thread. Only a dispatcher with tasks on its `taskExecutor` has such events.
    ///
    /// - Parameter event: The event.
    func observe(_ event: EventLoopEvent)

    /// Returns header fields for an exchange that begins, such as those that propagate a trace.
    ///
    /// The dispatcher calls this function after `observe(_:)` with ``ExchangeEvent/Kind/exchangeStarted``, on the same thread,
    /// for each exchange, including those to other origins. Check ``ObservedExchange/host``: don't return fields that other
    /// parties must not see.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: The fields, which replace all fields of the request with the same names; none by default.
    func headerFields(for exchange: ObservedExchange) -> HTTPHeaderFields
}

extension ExchangeObserver {
    /// No bytes of a body.
    public var bodyLimit: Int { 0 }

    /// Does nothing.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ConnectionEvent) {}

    /// Does nothing.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: EventLoopEvent) {}

    /// Returns no fields.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: No fields.
    public func headerFields(for exchange: ObservedExchange) -> HTTPHeaderFields { HTTPHeaderFields() }
}
