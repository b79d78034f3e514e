/// A policy around the transport that sees every outgoing request and every incoming response.
///
/// Interceptors are nested. The first in the list is the outermost. Each decides whether, how often and with which
/// request to call `next`. Calling it twice is a retry; not calling it returns a response from elsewhere:
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
    /// released.
    ///
    /// - Parameters:
    ///   - request: The request as the outer interceptors left it.
    ///   - next: The rest of the chain, down to the transport.
    /// - Returns: A response, usually what `next` returned.
    /// - Throws: The errors of `next`, or an error of its own, which reaches the caller unchanged.
    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse

    /// Whether the interceptor handles each request of a redirect chain, not only the first one.
    ///
    /// `false` by default: a call passes through the interceptor once, with the first request and the final response.
    /// An interceptor that keeps cookies or answers challenges returns `true`. It then runs inside the dispatcher's
    /// redirect policy and sees every redirect with its header fields. Interceptors of each kind keep their relative
    /// order. The value is read once, when the dispatcher is created.
    var interceptsEachHop: Bool { get }
}

extension Interceptor {
    /// `false`: a call passes through the interceptor once.
    public var interceptsEachHop: Bool { false }
}

/// The remaining interceptors and the transport after them.
public struct InterceptorChain: Sendable {
    private let interceptors: [any Interceptor]
    private let index: Int
    private let transport: any HTTPTransport

    /// Creates a chain.
    ///
    /// - Parameters:
    ///   - interceptors: The interceptors, outermost first.
    ///   - transport: The transport that sends the request after the last interceptor.
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
    /// - Throws: The errors of the interceptors and the transport; `CancellationError` if the task is cancelled.
    public func callAsFunction(_ request: TransportRequest) async throws -> TransportResponse {
        guard index < interceptors.count else { return try await transport.send(request) }
        let rest = InterceptorChain(interceptors, index: index + 1, transport: transport)
        return try await interceptors[index].intercept(request, next: rest)
    }
}

extension InterceptorChain: Redacted {
    /// The types of the remaining interceptors, because interceptors may hold tokens.
    package var shown: KeyValuePairs<String, Any> {
        ["interceptors": interceptors[index...].map { "\(type(of: $0))" }, "transport": "\(type(of: transport))"]
    }
}
