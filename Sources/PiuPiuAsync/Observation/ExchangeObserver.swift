/// An object that observes what a dispatcher does, while it does it.
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
/// Each call of a dispatcher begins and ends with an event, and so does each exchange that a call makes: one for each
/// attempt and for each redirect that is followed. See ``ExchangeEvent/Kind`` for their order.
///
/// Observers run on the thread on which something happens, which is often the one that serves all connections. They must
/// return soon, must not wait for anything, and must not call the dispatcher. What takes time belongs on a queue or in a
/// task of their own. Events of one exchange follow each other; those of different exchanges may come at the same time, from
/// different threads.
///
/// The events of a call's start, of its end unless it is a stream, and of an exchange's start are delivered in the caller's
/// task or one that inherits its task-local values. A stream's end is delivered where its body is read to the end, released
/// or cancelled. Without observers, nothing is allocated for them.
public protocol ExchangeObserver: Sendable {
    /// The number of bytes of the beginning of each body that the observer wants to see; 0, the default, for none.
    ///
    /// ``ExchangeSummary/requestBody`` and ``ExchangeSummary/responseBody`` have them when an exchange ends. They stay in memory
    /// until then, for each exchange that is under way. The dispatcher asks once, when it is created; if no observer wants
    /// bodies, nothing is kept. Bodies contain secrets: it is up to the observer what becomes of them.
    var bodyLimit: Int { get }

    /// Takes notice of an event.
    ///
    /// - Parameter event: The event. Its descriptions show no secrets: locations have no user information, query or fragment.
    func observe(_ event: ExchangeEvent)

    /// Takes notice of what happened to a connection.
    ///
    /// Only the transport of Linux reports connections. They outlive calls and are not in their order: that of one
    /// connection is described with ``ConnectionEvent/Kind``.
    ///
    /// - Parameter event: The event.
    func observe(_ event: ConnectionEvent)

    /// Returns header fields for an exchange that begins, such as those that carry a trace on.
    ///
    /// Called after `observe(_:)` was called with ``ExchangeEvent/Kind/exchangeStarted``, on the same thread. Each exchange
    /// is asked for anew, also those to other origins, to which ``ObservedExchange/host`` tells the way: what other parties
    /// must not see, must not be returned for them.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: The fields. They replace all fields of the request with the same names; none by default.
    func headerFields(for exchange: ObservedExchange) -> HTTPHeaderFields
}

extension ExchangeObserver {
    /// Nothing of a body.
    public var bodyLimit: Int { 0 }

    /// Takes no notice.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ConnectionEvent) {}

    /// None.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: No fields.
    public func headerFields(for exchange: ObservedExchange) -> HTTPHeaderFields { HTTPHeaderFields() }
}
