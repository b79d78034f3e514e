extension URLRequest {
    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL to ask.
    ///   - method: The request method.
    public init(url: URL, method: HTTPMethod) {
        self.init(url: url)
        httpMethod = method.rawValue
    }
}
