#if os(Linux)
import PiuPiuAsync
import Synchronization

/// The transport of PiuPiu on Linux: libcurl, driven by its own event loops.
///
/// It speaks HTTP/1.1 and, over TLS if the server offers it, HTTP/2. It keeps connections open, shares them, and
/// decompresses gzip, brotli and zstd if the system's libcurl supports them. It takes proxies from the environment
/// (`https_proxy`, `no_proxy`, …) unless that is turned off. It requires libcurl 7.74 or newer.
///
/// Releasing the last reference cancels the exchanges in flight.
public final class CurlTransport: HTTPTransport, ReportingTransport, ReconfigurableTransport {
    let loops: [CurlEventLoop]
    private let next = Atomic<Int>(0)
    private let isHosting = Atomic<Bool>(false)
    private let userAgent: String?
    private let profiles: ConnectionProfiles
    private let library: CurlLibrary

    /// Creates a transport and its event loops.
    ///
    /// - Parameter configuration: The configuration of connections.
    /// - Throws: `TransportError` with the code `libraryUnavailable` if libcurl is missing or too old, `unsupported`
    ///   if it cannot apply a setting, and `outOfResources` if there are no descriptors left.
    public convenience init(configuration: TransportConfiguration = TransportConfiguration()) throws {
        try self.init(configuration: configuration, library: CurlLibrary.shared.get())
    }

    /// Creates a transport for a specific version of libcurl.
    init(
        configuration: TransportConfiguration,
        library: CurlLibrary,
        connectionsPerEngine: Int = CurlEventLoop.connectionsPerEngine,
        trialOptions: [CurlOption] = []
    ) throws {
        userAgent = configuration.userAgent
        self.library = library
        let profiles = try ConnectionProfiles(
            ConnectionPlan(configuration, library: library, trialOptions: trialOptions)
        )
        self.profiles = profiles
        loops = try .loops(configuration.limitsPerLoop) { name, limits in
            try CurlEventLoop(
                name: name,
                limits: limits,
                profile: profiles.first,
                library: library,
                connectionsPerEngine: connectionsPerEngine
            )
        }
    }

    deinit {
        loops.submit(.invalidate)
    }

    /// Sends a request and collects the response.
    ///
    /// Cancelling the calling task ends the exchange at once: it closes an HTTP/1.1 connection, or resets the stream of
    /// an HTTP/2 connection.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response with its whole body, whatever its status code.
    /// - Throws: `TransportError` if there is no complete response, `CancellationError` if the calling task was
    ///   cancelled or the transport was invalidated.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let prepared =
            try request.body == nil
            ? PreparedRequest(request, userAgent: userAgent)
            : await PreparedRequest.make(request, userAgent: userAgent)
        let profile = try profile(for: prepared)
        let executor = loops.next(next).executor
        let ticket = ExchangeTicket()
        let streams = Self.streams(for: request, ticket, executor)
        let exchange = CurlExchange(ticket: ticket, request: prepared, profile: profile, streams: streams)
        let outcome: ExchangeOutcome = await withTaskCancellationHandler {
            await withExchangeContinuation { continuation in
                exchange.setContinuation(continuation)
                guard executor.submit(.start(ExchangeStart(exchange: exchange))) else {
                    exchange.finish(.failure(ExchangeFailure(.shutDown)))
                    return
                }
                if ticket.submit() { _ = executor.submit(.loop(.cancel(ticket))) }
            }
        } onCancel: {
            // The executor's lock is our own and held only for an append.
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
        _ executor: EventLoopExecutor<EventLoopCommand>
    ) -> ExchangeStreams? {
        guard ExchangeStreams.areNeeded(for: request) else { return nil }
        return ExchangeStreams(for: request, ticket) { _ = executor.submit(.loop($0)) }
    }

    /// Refuses new exchanges and returns when those in flight end and every connection is closed.
    ///
    /// Cancelling the calling task does not cut it short; ``invalidateAndCancel()`` does.
    public func shutdown() async {
        await loops.shutDown()
    }

    /// Refuses new exchanges and cancels those in flight, which end with `CancellationError`.
    ///
    /// Returns at once.
    public func invalidateAndCancel() {
        loops.submit(.invalidate)
    }

    /// Returns the number of open sockets and of exchanges in flight or waiting, summed over all event loops.
    package func statistics() async -> (sockets: Int, exchanges: Int) {
        await loops.statistics()
    }

    // MARK: Configuration

    /// The configuration in force.
    public var configuration: TransportConfiguration { profiles.configuration }

    /// The number of changes of the configuration.
    package var configurationNumber: Int { profiles.changeCount }

    /// Changes how connections are opened, for example because a certificate was renewed or an address has changed.
    ///
    /// The change takes effect at the next request, which opens a new connection: connections of the previous configuration are
    /// not reused, and are closed when their last exchange ends. Exchanges under way are not disturbed.
    ///
    /// - Parameter configuration: The new configuration. Its `TransportConfiguration.connections`,
    ///   `TransportConfiguration.eventLoops` and `TransportConfiguration.userAgent` have no effect; the transport keeps the
    ///   values it was created with.
    /// - Throws: `TransportError` with the code `unsupported` if libcurl cannot apply a setting. In this case, the
    ///   configuration is unchanged.
    public func reconfigure(_ configuration: TransportConfiguration) throws {
        try reconfigure(configuration, trialOptions: [])
    }

    /// Changes how connections are opened, with options of tests.
    func reconfigure(_ configuration: TransportConfiguration, trialOptions: [CurlOption]) throws {
        try profiles.change(to: ConnectionPlan(configuration, library: library, trialOptions: trialOptions))
        noteRetirement()
    }

    private func profile(for prepared: PreparedRequest) throws -> ConnectionProfile {
        try profiles.profile(for: prepared.target, prepared.request, retire: noteRetirement)
    }

    private func noteRetirement() {
        loops.submit(.retire)
    }
}

extension CurlTransport: TaskExecutingTransport {
    package func taskExecutors(_ report: @escaping @Sendable (EventLoopEvent) -> Void) -> [any TaskExecutor] {
        isHosting.store(true, ordering: .relaxed)
        return loops.taskExecutors(report)
    }

    package var hostsTasks: Bool { isHosting.load(ordering: .relaxed) }

    package var currentLoop: Int? { loops.firstIndex(where: \.isCurrent) }
}

extension CurlTransport: Redacted {
    /// The number of event loops, and no details of requests.
    package var shown: KeyValuePairs<String, Any> { ["eventLoops": loops.count] }
}
#endif
