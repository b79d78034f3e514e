#if os(Linux)
import PiuPiuEngine
import Synchronization

/// A transport over plain sockets, with the system's OpenSSL and nghttp2, driven by its own event loops.
///
/// ```swift
/// let transport = try SocketTransport()
/// let dispatcher = URLRequestDispatcher(transport: transport)
/// ```
///
/// It speaks HTTP/1.1 and HTTP/2, directly or through the proxies of ``ProxyServer/Kind``. It offers HTTP/2 over TLS unless
/// ``TransportConfiguration/http2`` is ``HTTP2Use/never``, and uses it without TLS for the origins of
/// ``TransportConfiguration/cleartextHTTP2``. Requests, streams and downloads share its connections. It refuses settings for
/// HTTP/3, DNS over HTTPS and TCP Fast Open with ``TransportError/Code/unsupported``; `CurlTransport` of `PiuPiuCurl` supports
/// them. It behaves the same on every system, because it uses no system library for HTTP except OpenSSL, and nghttp2 for the
/// frames of HTTP/2.
///
/// Releasing the last reference cancels the exchanges in flight.
public final class SocketTransport: HTTPTransport, ReportingTransport, ReconfigurableTransport, TunnellingTransport {
    let loops: [SocketLoop]
    private let next = Atomic<Int>(0)
    private let isHosting = Atomic<Bool>(false)
    private let userAgent: String?
    private let profiles: SocketProfiles

    /// Creates a transport and its event loops.
    ///
    /// - Parameter configuration: The configuration of connections.
    /// - Throws: ``TransportError`` with the code `unsupported` if a setting cannot be applied, or `outOfResources` if no file
    ///   descriptors are left.
    public init(configuration: TransportConfiguration = TransportConfiguration()) throws {
        userAgent = configuration.userAgent
        profiles = try SocketProfiles(SocketPlan(configuration))
        loops = try Self.loops(configuration, SocketNames(lookups: .shared))
    }

    /// Creates a transport with separate name lookups, for tests.
    package init(configuration: TransportConfiguration, lookups: NameLookups) throws {
        userAgent = configuration.userAgent
        profiles = try SocketProfiles(SocketPlan(configuration))
        loops = try Self.loops(configuration, SocketNames(lookups: lookups))
    }

    private static func loops(_ configuration: TransportConfiguration, _ names: SocketNames) throws -> [SocketLoop] {
        try .loops(configuration.limitsPerLoop) { try SocketLoop(name: $0, limits: $1, names: names) }
    }

    deinit {
        loops.submit(.invalidate)
    }

    /// Sends a request and collects the response.
    ///
    /// Cancelling the calling task ends the exchange at once and closes its connection.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response with its whole body, whatever its status code.
    /// - Throws: ``TransportError`` if there is no complete response, or `CancellationError` if the calling task was
    ///   cancelled or the transport was invalidated.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let prepared =
            try request.body == nil
            ? PreparedRequest(request, userAgent: userAgent)
            : await PreparedRequest.make(request, userAgent: userAgent)
        let profile = try profiles.profile(for: prepared.target, prepared.request, retire: noteRetirement)
        let executor = loops.next(next).executor
        let ticket = ExchangeTicket()
        let streams = Self.streams(for: request, ticket, executor)
        let exchange = SocketExchange(ticket: ticket, request: prepared, profile: profile, streams: streams)
        let outcome: ExchangeOutcome = await withTaskCancellationHandler {
            await withExchangeContinuation { continuation in
                exchange.setContinuation(continuation)
                guard executor.submit(.start(SocketStart(exchange: exchange))) else {
                    exchange.finish(.failure(ExchangeFailure(.shutDown)))
                    return
                }
                if ticket.submit() { _ = executor.submit(.loop(.cancel(ticket))) }
            }
        } onCancel: {
            // The executor's lock is private and held only for an append.
            if ticket.cancel() { _ = executor.submit(.loop(.cancel(ticket))) }
        }
        defer { withExtendedLifetime(exchange) {} }
        return try outcome.response(to: request, inbound: streams?.inbound)
    }

    /// Creates the body streams and the reporter of a transfer; `nil` for most exchanges.
    @inline(never)
    private static func streams(
        for request: TransportRequest,
        _ ticket: ExchangeTicket,
        _ executor: SocketLoop.Executor
    ) -> ExchangeStreams? {
        guard ExchangeStreams.areNeeded(for: request) else { return nil }
        return ExchangeStreams(for: request, ticket) { _ = executor.submit(.loop($0)) }
    }

    /// Refuses new exchanges and returns when those in flight have ended and all connections are closed.
    ///
    /// Cancelling the calling task does not shorten the wait; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await loops.shutDown()
    }

    /// Refuses new exchanges and cancels those in flight, which end with `CancellationError`.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        loops.submit(.invalidate)
    }

    /// Returns the numbers of open sockets and of exchanges in flight or waiting, summed over all event loops.
    package func statistics() async -> (sockets: Int, exchanges: Int) {
        await loops.statistics()
    }

    // MARK: Configuration

    /// The configuration in force.
    public var configuration: TransportConfiguration { profiles.configuration }

    /// The number of configuration changes.
    package var configurationNumber: Int { profiles.changeCount }

    /// Changes how connections are opened, for example after a certificate was renewed or an address has changed.
    ///
    /// The change takes effect at the next request, which opens a new connection. Connections of the previous configuration are
    /// not reused, and close when their last exchange ends. Exchanges in flight continue undisturbed.
    ///
    /// - Parameter configuration: The new configuration. Its ``TransportConfiguration/connections``,
    ///   ``TransportConfiguration/eventLoops`` and ``TransportConfiguration/userAgent`` have no effect: the values from the
    ///   transport's creation stay in force.
    /// - Throws: ``TransportError`` with the code `unsupported` if a setting cannot be applied. In this case, the configuration
    ///   does not change.
    public func reconfigure(_ configuration: TransportConfiguration) throws {
        try profiles.change(to: SocketPlan(configuration))
        noteRetirement()
    }

    private func noteRetirement() {
        loops.submit(.retire)
    }
}

extension SocketTransport: TaskExecutingTransport {
    package func taskExecutors(_ report: @escaping @Sendable (EventLoopEvent) -> Void) -> [any TaskExecutor] {
        isHosting.store(true, ordering: .relaxed)
        return loops.taskExecutors(report)
    }

    package var hostsTasks: Bool { isHosting.load(ordering: .relaxed) }

    package var currentLoop: Int? { loops.firstIndex(where: \.isCurrent) }
}

extension SocketTransport: Redacted {
    /// The number of event loops; nothing about the requests.
    package var shown: KeyValuePairs<String, Any> { ["eventLoops": loops.count] }
}
#endif
