import PiuPiuFutures

/// A type that provides the server for requests.
///
/// A ``NetworkDispatcher`` holds it weakly and reads it for each request, so that the server may change.
@preconcurrency public protocol ServerProvider: AnyObject, Sendable {
    /// The server.
    ///
    /// A dispatcher reads it inside the call that sends a request, on the thread of that call.
    var baseURL: URL { get }
}

extension ServerProvider {
    /// Makes the URL of a request, whose path and query replace those of ``baseURL``.
    ///
    /// - Parameter request: The request.
    /// - Returns: The URL.
    /// - Throws: `URLError` with the code `badURL` if the result is not a valid URL, such as for a path without a leading
    ///   slash.
    public func url(from request: any Request) throws -> URL {
        var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        components?.queryItems = request.queryItems.isEmpty ? nil : request.queryItems
        components?.path = request.path
        if let url = components?.url { return url } else { throw URLError(.badURL) }
    }

    /// Makes the request to send.
    ///
    /// - Parameter request: The request.
    /// - Returns: The request with its URL.
    /// - Throws: ``RequestError/invalidURL(cause:)``.
    public func urlRequest(from request: any Request) throws -> URLRequest {
        let url = try Result { try self.url(from: request) }.mapError { RequestError.invalidURL(cause: $0) }.get()
        var urlRequest = URLRequest(url: url, method: request.method)
        // Set one by one and in order, because two spellings of a name are one field, so that the same one always wins.
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        urlRequest.httpBody = request.httpBody
        return urlRequest
    }
}
