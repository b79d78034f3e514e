/// A type that can be turned into a `URLRequest` once its server is known.
///
/// A ``RequestSerializer`` requests the `URLRequest` when a future is started.
public protocol Request: Sendable {
    /// Makes the request to send.
    ///
    /// - Parameter baseURL: The server, and the part of the path that all requests to it share.
    /// - Returns: The request.
    /// - Throws: Any error; it ends the future and is passed to the error handler unchanged.
    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest
}
