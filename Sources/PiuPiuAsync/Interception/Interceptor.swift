/// A policy around the transport: it sees every request on its way out and every response on its way back.
///
/// Interceptors form an onion. The first in the list is the outermost; each decides whether, how often and with what to
/// call `next`. Calling it twice is a retry, not calling it answers from elsewhere:
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
    /// Cancelling the call, shutting the dispatcher down by force and releasing it cancel the task this runs in.
    ///
    /// - Parameters:
    ///   - request: The request as the interceptors outside of this one left it.
    ///   - next: The rest of the chain, down to the transport.
    /// - Returns: A response, usually what `next` returned.
    /// - Throws: Whatever `next` throws, or an error of its own, which reaches the caller as it is.
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse

    /// Whether it handles each request of a chain of redirects, and not only the first and the final response.
    ///
    /// `false` by default: a call passes the interceptor once. An interceptor that keeps cookies or answers challenges sets
    /// it to `true`, and stands inside of the dispatcher's redirect policy then, where every redirect and its header fields
    /// pass. Interceptors of both kinds keep their order among their own kind. Read once, when the dispatcher is created.
    var interceptsEachHop: Bool { get }
}

extension Interceptor {
    /// A call passes the interceptor once.
    public var interceptsEachHop: Bool { false }
}

/// The interceptors that are still to come, and the transport after them.
public struct InterceptorChain: Sendable {
    private let interceptors: [any Interceptor]
    private let index: Int
    private let transport: any HTTPTransport

    /// Creates a chain.
    ///
    /// - Parameters:
    ///   - interceptors: The interceptors, outermost first.
    ///   - transport: What sends the request in the end.
    public init(_ interceptors: [any Interceptor], transport: any HTTPTransport) {
        self.init(interceptors, index: 0, transport: transport)
    }

    private init(_ interceptors: [any Interceptor], index: Int, transport: any HTTPTransport) {
        self.interceptors = interceptors
        self.index = index
        self.transport = transport
    }

    /// Sends a request through the rest of the chain.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: What an interceptor or the transport throws; `CancellationError` where the task was cancelled.
    public func callAsFunction(_ request: TransportRequest) async throws -> TransportResponse {
        guard index < interceptors.count else { return try await transport.send(request) }
        let rest = InterceptorChain(interceptors, index: index + 1, transport: transport)
        return try await interceptors[index].intercept(request, next: rest)
    }
}

extension InterceptorChain: Redacted {
    /// The types of what is still to come: interceptors hold tokens.
    package var shown: KeyValuePairs<String, Any> {
        ["interceptors": interceptors[index...].map { "\(type(of: $0))" }, "transport": "\(type(of: transport))"]
    }
}
