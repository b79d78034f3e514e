/// Something that can be made a `URLRequest`, once it is known which server it goes to.
///
/// A ``RequestSerializer`` asks for it when a future is started.
public protocol Request: Sendable {
    /// Makes the request to send.
    ///
    /// - Parameter baseURL: The server, and the part of the path that all requests to it share.
    /// - Returns: The request.
    /// - Throws: Any error; it ends the future and reaches the error handler as it is.
    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest
}
