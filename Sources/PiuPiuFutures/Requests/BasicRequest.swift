/// A request to a path of a server.
///
/// ```swift
/// var request = BasicRequest(method: .post, path: "/posts", queryItems: [URLQueryItem(name: "draft", value: "1")])
/// try request.setJSONBody(post)
/// ```
public struct BasicRequest: Request, Hashable {
    /// The request method.
    public var method: HTTPMethod
    /// The path, as text without percent encoding, which is appended to the path of the base URL.
    public var path: String
    /// The items that are added to the query of the base URL.
    public var queryItems: [URLQueryItem]
    /// The header fields.
    ///
    /// Names are not case-sensitive; if two names differ only in case, only one of the fields is sent.
    public var headers: [String: String]
    /// The body.
    public var httpBody: Data?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - path: The path, as text without percent encoding, with or without a leading slash.
    ///   - queryItems: The items that are added to the query of the base URL.
    ///   - headers: The header fields.
    ///   - httpBody: The body.
    public init(
        method: HTTPMethod,
        path: String,
        queryItems: [URLQueryItem] = [],
        headers: [String: String] = [:],
        httpBody: Data? = nil
    ) {
        self.method = method
        self.path = path
        self.queryItems = queryItems
        self.headers = headers
        self.httpBody = httpBody
    }

    /// Makes the request to send.
    ///
    /// - Parameter baseURL: The server, and the part of the path common to all requests to it.
    /// - Returns: The request.
    /// - Throws: The errors of ``url(withBaseURL:)``.
    public func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
        var request = URLRequest(url: try url(withBaseURL: baseURL), method: method)
        // Sorted, so that the choice between two names that differ only in case is always the same.
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        request.httpBody = httpBody
        return request
    }
}

extension BasicRequest: FormBodySettable {
    /// Sets the content type to `application/json`, unless the request already has one under a name in any case.
    public mutating func ensureJSONContentType() {
        ensureContentType("application/json")
    }

    /// Sets the content type to `application/x-www-form-urlencoded`, unless the request already has one under a name in any
    /// case.
    public mutating func ensureFormContentType() {
        ensureContentType("application/x-www-form-urlencoded")
    }

    private mutating func ensureContentType(_ contentType: String) {
        guard !headers.keys.contains(where: { $0.lowercased() == "content-type" }) else { return }
        headers["Content-Type"] = contentType
    }
}

extension BasicRequest: Redacted {
    /// The method, the path and the header fields, without query, body and the values of secrets.
    package var shown: KeyValuePairs<String, Any> {
        let fields = headers.sorted { $0.key < $1.key }.map { HTTPHeaderField(name: $0.key, value: $0.value) }
        return [
            "method": method, "path": path, "queryItems": queryItems.map(\.name), "headers": fields,
            "body": "\(httpBody?.count ?? 0) bytes",
        ]
    }
}
