/// A type that can be converted to a `URLRequest` once its server is known.
///
/// A ``RequestSerializer`` asks for the `URLRequest` when a future is started.
public protocol Request: Sendable {
    /// Makes the request to send.
    ///
    /// - Parameter baseURL: The server, and the part of the path common to all requests to it.
    /// - Returns: The request.
    /// - Throws: Any error, which ends the future and reaches the error handler unchanged.
    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest
}
