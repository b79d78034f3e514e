public import HTTPTypes
public import HummingbirdCore

/// A client that sends requests to the upstream.
public protocol UpstreamClient: Sendable {
    /// Sends a request, and returns when the head of the response has arrived.
    ///
    /// Cancelling the calling task closes the exchange.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: Any error, for which ``failure(of:)`` has the response.
    func send(_ request: ForwardedRequest) async throws -> UpstreamResponse

    /// Returns the response to a request that failed.
    ///
    /// - Parameter error: The error of ``send(_:)``.
    /// - Returns: The response; `nil` if the error says only that the calling task was cancelled.
    func failure(of error: any Error) -> ProxyError?
}

/// A response of the upstream, whose body is written while it arrives.
public struct UpstreamResponse: Sendable {
    /// The status and the fields, as they arrived.
    public let head: HTTPResponse
    /// Writes the body, no faster than the client takes it, and returns the fields that follow it.
    public let writeBody: @Sendable (inout any ResponseBodyWriter) async throws -> HTTPFields?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The status and the fields, as they arrived.
    ///   - writeBody: Writes the body, and returns the fields that follow it.
    public init(
        head: HTTPResponse,
        writeBody: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> HTTPFields?
    ) {
        self.head = head
        self.writeBody = writeBody
    }
}
