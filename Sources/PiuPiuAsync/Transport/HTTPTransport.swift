/// Something that carries one HTTP exchange: a request out, a response back.
///
/// A transport has no policy. It never follows a redirect, never retries a request that may have had an effect, keeps no
/// cookies and answers no authentication challenge: interceptors do that, around it. Conform to this protocol to run
/// PiuPiu on a network stack of your own, and let the cases of `TransportConformance`, in the module `PiuPiuTesting`, check
/// that it does all that it should:
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
    /// Cancelling the calling task closes the exchange at once.
    ///
    /// - Parameter request: The request, its limits and its deadline.
    /// - Returns: The final response with its whole body, whatever its status code.
    /// - Throws: ``TransportError`` where there is no complete response, `CancellationError` where the calling task was
    ///   cancelled or the transport was invalidated.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Refuses new exchanges and returns when those in flight have ended.
    ///
    /// Cancelling the calling task does not cut it short; ``invalidateAndCancel()`` does.
    func shutdown() async

    /// Refuses new exchanges and cancels those in flight. Returns at once.
    func invalidateAndCancel()

    /// The clock that the transport measures with; `nil`, the default, for real time.
    ///
    /// The dispatcher above it computes deadlines and measures the progress of transfers with the same clock.
    var clock: TransferClock? { get }
}

extension HTTPTransport {
    /// Real time.
    public var clock: TransferClock? { nil }
}
