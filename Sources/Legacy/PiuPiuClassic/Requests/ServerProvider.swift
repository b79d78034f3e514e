import PiuPiuFutures

/// A type that provides the server for requests.
///
/// A dispatcher reads the property when a future is started, on the main thread if the future is started there, and on a
/// background thread otherwise.
@preconcurrency public protocol ServerProvider: AnyObject, Sendable {
    /// The server; `nil` if it is unknown. The path and the query of a request replace those of the server.
    var baseURL: URL? { get }
}

extension ServerProvider {
    /// Makes the URL of a request, whose path and query replace those of ``baseURL``, as in PiuPiu 1.3.
    ///
    /// - Parameter request: The request; its path begins with a slash.
    /// - Returns: The URL.
    /// - Throws: ``RequestError/missingURL`` if there is no server; `URLError.badURL` if the path is not valid.
    public func url(from request: any Request) throws -> URL {
        guard let baseURL else { throw RequestError.missingURL }
        var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        // PiuPiu 1.3 also set an empty list, which leaves a question mark at the end.
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
            // Set one by one and in order, because two spellings of a name are one field, so that the same one always wins.
            for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
                urlRequest.setValue(value, forHTTPHeaderField: name)
            }
            return urlRequest
        } catch {
            throw RequestError.invalidURL(cause: error)
        }
    }
}
