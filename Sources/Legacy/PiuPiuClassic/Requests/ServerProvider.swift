import PiuPiuFutures

/// A type that provides the server for requests.
///
/// The property is read when a future is started, on the thread that starts it if that is the main thread, and
/// otherwise on a background thread.
@preconcurrency public protocol ServerProvider: AnyObject, Sendable {
    /// The server; `nil` if it is not known. Its path and its query are replaced by those of a request.
    var baseURL: URL? { get }
}

extension ServerProvider {
    /// Makes the URL of a request.
    ///
    /// As in PiuPiu 1.3, the path of the request replaces that of ``baseURL``, and so does the query.
    ///
    /// - Parameter request: The request; its path begins with a slash.
    /// - Returns: The URL.
    /// - Throws: ``RequestError/missingURL`` if there is no server; `URLError.badURL` if the path is not valid.
    public func url(from request: any Request) throws -> URL {
        guard let baseURL else { throw RequestError.missingURL }
        var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        // An empty list, as PiuPiu 1.3 set it, would leave a question mark at the end.
        components?.queryItems = request.queryItems.isEmpty ? nil : request.queryItems
        components?.path = request.path
        guard let url = components?.url else { throw URLError(.badURL) }
        return url
    }

    /// Makes the `URLRequest` of a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The request to send.
    /// - Throws: ``RequestError/invalidURL(cause:)`` with the error of ``url(from:)``.
    public func urlRequest(from request: any Request) throws -> URLRequest {
        do {
            var urlRequest = URLRequest(url: try url(from: request))
            urlRequest.httpMethod = request.method.rawValue
            urlRequest.httpBody = request.httpBody
            // One by one and in order: two spellings of a name are one field, and the same one each time.
            for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
                urlRequest.setValue(value, forHTTPHeaderField: name)
            }
            return urlRequest
        } catch {
            throw RequestError.invalidURL(cause: error)
        }
    }
}
