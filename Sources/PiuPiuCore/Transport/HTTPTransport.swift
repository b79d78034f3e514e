/// A type that carries one HTTP exchange: it sends a request and returns the response.
///
/// A transport has no policy. It never follows a redirect, never retries a request that may have had an effect, keeps
/// no cookies and answers no authentication challenges; the interceptors around it do that. Conform to this protocol to
/// run PiuPiu on your own network stack, and use the cases of `TransportConformance`, in the module `PiuPiuTesting`, to
/// check that your transport meets the requirements:
///
/// ```swift
/// struct CannedTransport: HTTPTransport {
///     func send(_ request: TransportRequest) async throws -> TransportResponse {
///         let url = request.urlRequest.url ?? URL(filePath: "/")
///         return TransportResponse(
///             head: ResponseHead(url: url, statusCode: .ok),
///             body: Data("hello".utf8),
///             urlRequest: request.urlRequest
///         )
///     }
///     func shutdown() async {}
///     func invalidateAndCancel() {}
/// }
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends a request and collects the response.
    ///
    /// Cancelling the calling task closes the exchange at once. The transport also has to end an exchange at the request's
    /// deadline: the dispatcher itself leaves one behind only if an interceptor of the user is around it.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response with its whole body, whatever its status code.
    /// - Throws: ``TransportError`` if there is no complete response, or `CancellationError` if the calling task is
    ///   cancelled or the transport is invalidated.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Refuses new exchanges and returns when those in progress have ended.
    ///
    /// Cancelling the calling task does not shorten the wait; ``invalidateAndCancel()`` does.
    func shutdown() async

    /// Refuses new exchanges and cancels those in progress. Returns at once.
    func invalidateAndCancel()

    /// The clock that the transport uses; `nil`, the default, means real time.
    ///
    /// The dispatcher computes deadlines and measures the progress of transfers with the same clock.
    var clock: TransferClock? { get }
}

/// A transport that reports each observed exchange to its end.
///
/// Once it returns a response, it is responsible for the exchange's reporter, see ``ObservedExchange/driven(for:)``.
package protocol ReportingTransport: HTTPTransport {}

/// A transport whose connection settings can change, for example the client certificate.
package protocol ReconfigurableTransport: HTTPTransport {
    /// A number that changes with every change of the configuration.
    var configurationNumber: Int { get }
    /// The configuration in force.
    var configuration: TransportConfiguration { get }
}

extension HTTPTransport {
    /// Real time.
    public var clock: TransferClock? { nil }
}
