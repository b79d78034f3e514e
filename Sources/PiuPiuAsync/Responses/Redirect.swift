/// One redirect that was followed on the way to a response.
public struct Redirect: Sendable, Hashable {
    /// The status code that sent the request on, such as 302.
    public var statusCode: StatusCode
    /// The URL that answered with it, without user information.
    public var source: URL
    /// The URL the request went to next, without user information.
    public var target: URL

    /// Creates a redirect.
    ///
    /// - Parameters:
    ///   - statusCode: The status code that sent the request on.
    ///   - source: The URL that answered with it.
    ///   - target: The URL the request went to next.
    public init(statusCode: StatusCode, source: URL, target: URL) {
        self.statusCode = statusCode
        self.source = source
        self.target = target
    }
}
