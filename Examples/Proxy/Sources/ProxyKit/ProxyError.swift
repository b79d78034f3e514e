import HTTPTypes

/// A request that the proxy answers itself, because the upstream did not.
///
/// The response says no more than this: which server did not answer, and why, is nothing that clients need to know.
public struct ProxyError: Error, Sendable, Hashable {
    /// The status of the response.
    public let status: HTTPResponse.Status
    /// The text of the response.
    public let text: String

    /// The request cannot be forwarded as it is.
    public static let badRequest = ProxyError(.badRequest, "The request cannot be forwarded.")
    /// The request's content is larger than the proxy forwards.
    public static let contentTooLarge = ProxyError(.contentTooLarge, "The request's content is too large.")
    /// The upstream cannot be reached, or its response is not one.
    public static let badGateway = ProxyError(.badGateway, "The upstream did not give a valid response.")
    /// There are too many requests, or the proxy shuts down.
    public static let unavailable = ProxyError(.serviceUnavailable, "The proxy cannot take another request now.")
    /// The upstream took too long.
    public static let timeout = ProxyError(.gatewayTimeout, "The upstream did not respond in time.")

    private init(_ status: HTTPResponse.Status, _ text: String) {
        self.status = status
        self.text = text
    }
}
