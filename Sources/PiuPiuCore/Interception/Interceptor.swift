/// A policy around the transport that sees every outgoing request and every incoming response.
///
/// Interceptors are nested, the first of a list outermost, except that ``Coalescing`` and ``ResponseCache`` come after all
/// interceptors for which ``distinguishesCallers`` is `true`. Each decides whether, how often and with which request to
/// call `next`. Calling it twice is a retry; not calling it returns a response from elsewhere:
///
/// ```swift
/// struct RetryOnce: Interceptor {
///     func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
///         do {
///             return try await next(request)
///         } catch let error as TransportError where error.isSafeToRetry {
///             return try await next(request)
///         }
///     }
/// }
/// ```
public protocol Interceptor: Sendable {
    /// Handles a request.
    ///
    /// The task this runs in is cancelled when the call is cancelled, or when the dispatcher is forcibly shut down or
    /// released. It may run on the thread of its caller, so it must not block: the caller can leave an interceptor that waits, at
    /// its limit, but not one that blocks their thread.
    ///
    /// - Parameters:
    ///   - request: The request after the outer interceptors.
    ///   - next: The rest of the chain, down to the transport.
    /// - Returns: A response, usually that of `next`.
    /// - Throws: The errors of `next`, or another error, which reaches the caller unchanged.
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse

    /// Whether the interceptor handles each request of a redirect chain, not only the first one.
    ///
    /// `false` by default: a call passes through the interceptor once, with the first request and the final response.
    /// An interceptor that keeps cookies or answers challenges returns `true`. It then runs inside the dispatcher's
    /// redirect policy and sees every redirect with its header fields. Interceptors of each kind keep their relative
    /// order. The value is read once, when the dispatcher is created.
    var interceptsEachHop: Bool { get }

    /// Whether equal requests of two callers may differ after the interceptor, or get different responses from it.
    ///
    /// `true` by default, because an interceptor may add the caller's token, for instance from a task-local value, or
    /// keep a jar of cookies. ``Coalescing`` compares requests only after the last interceptor that returns `true`, so
    /// that no user gets the response of another. An interceptor that treats all callers alike, such as a logger,
    /// returns `false`; it runs once for all calls that share an exchange, if it comes after that policy in the list.
    /// The value is read once, when the dispatcher is created.
    var distinguishesCallers: Bool { get }
}

extension Interceptor {
    /// `false`: a call passes through the interceptor once.
    public var interceptsEachHop: Bool { false }

    /// `true`, because the interceptor may do anything.
    public var distinguishesCallers: Bool { true }
}

/// The remaining interceptors and the transport after them.
public struct InterceptorChain: Sendable {
    /// The state that all positions in a chain share, so that moving on costs one retain.
    private final class Links: Sendable {
        let interceptors: [any Interceptor]
        let transport: any HTTPTransport
        let clock: TransferClock
        let run: Run?
        /// The number of interceptors up to the last one that distinguishes callers.
        let distinguishingCount: Int
        /// The transport, if its connections can get another configuration.
        let reconfigurable: (any ReconfigurableTransport)?

        init(_ order: InterceptorOrder, _ transport: any HTTPTransport, _ run: Run?) {
            interceptors = order.interceptors
            distinguishingCount = order.distinguishingCount
            self.transport = transport
            clock = transport.clock ?? .real
            self.run = run
            reconfigurable = ((transport as? ObservingTransport)?.base ?? transport) as? any ReconfigurableTransport
        }
    }

    /// Runs work in a separate task, which ends with the call and with the dispatcher.
    package typealias Run =
        @Sendable (
            _ request: TransportRequest,
            _ work: @escaping @Sendable () async throws -> TransportResponse
        ) async throws -> TransportResponse

    private let links: Links
    private let index: Int

    /// The identity of the chain, which is the same for all calls of a dispatcher, and unique while the chain exists.
    package var identity: ObjectIdentifier { ObjectIdentifier(links) }

    /// Whether the rest of the chain may treat equal requests of two callers differently.
    package var distinguishesCallers: Bool { index < links.distinguishingCount }

    /// The number of the configuration for new connections; 0 if it never changes.
    package var configurationNumber: Int { links.reconfigurable?.configurationNumber ?? 0 }

    /// Returns the certificate that identifies the client to a server now; `nil` for none, or if the transport reports none.
    package func clientIdentity(for target: RequestTarget) -> TLSIdentity? {
        links.reconfigurable?.configuration.clientIdentity(for: target)
    }

    /// The clock of the transport; real time unless the transport has its own.
    ///
    /// Policies measure with it, so that a test transport controls their time too.
    public var clock: TransferClock { links.clock }

    /// Creates a chain.
    ///
    /// - Parameters:
    ///   - interceptors: The interceptors, outermost first.
    ///   - transport: The transport that sends the request after the last interceptor.
    public init(_ interceptors: [any Interceptor], transport: any HTTPTransport) {
        self.init(InterceptorOrder(interceptors), transport: transport, run: nil)
    }

    /// Creates a chain.
    ///
    /// - Parameters:
    ///   - order: The interceptors.
    ///   - transport: The transport that sends the request after the last interceptor.
    ///   - run: Runs the work for which a prompt interceptor needs a task; `nil` if the whole chain runs in a task.
    package init(_ order: InterceptorOrder, transport: any HTTPTransport, run: Run?) {
        self.init(Links(order, transport, run), index: 0)
    }

    private init(_ links: Links, index: Int) {
        self.links = links
        self.index = index
    }

    /// Sends a request through the rest of the chain.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The errors of the interceptors and the transport; `CancellationError` if the task is cancelled.
    public func callAsFunction(_ request: TransportRequest) async throws -> TransportResponse {
        let (links, index) = (links, index)
        guard index < links.interceptors.count else { return try await links.transport.send(request) }
        return try await links.interceptors[index].intercept(request, next: InterceptorChain(links, index: index + 1))
    }
}

extension InterceptorChain {
    /// Runs work that may wait for something other than the rest of the chain.
    ///
    /// The work ends when the call is cancelled, at its deadline, and when the dispatcher is invalidated. Throws the error of
    /// the work, `CancellationError`, or ``TransportError`` with the code `timeout(.total)`.
    package func waiting(
        for request: TransportRequest,
        _ work: @escaping @Sendable () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard let run = links.run else { return try await work() }
        return try await run(request, work)
    }
}

/// An interceptor that usually waits only for the rest of the chain.
///
/// It runs all other work that may wait in ``InterceptorChain/waiting(for:_:)``. If all interceptors of a dispatcher are
/// prompt, most calls need no task for them.
package protocol PromptInterceptor: Interceptor {
    /// Whether this interceptor is prompt.
    var isPrompt: Bool { get }
}

extension PromptInterceptor {
    /// `true`: all values of the type are prompt.
    package var isPrompt: Bool { true }
}

/// An interceptor that compares the requests of different callers, and lets equal ones share a response.
///
/// It stands behind every interceptor that ``Interceptor/distinguishesCallers``, so that it sees what tells callers apart.
package protocol ComparingInterceptor: Interceptor {}

extension InterceptorChain: Redacted {
    /// The types of the remaining interceptors, because interceptors may hold tokens.
    package var shown: KeyValuePairs<String, Any> {
        [
            "interceptors": links.interceptors[index...].map { "\(type(of: $0))" },
            "transport": "\(type(of: links.transport))",
        ]
    }
}
