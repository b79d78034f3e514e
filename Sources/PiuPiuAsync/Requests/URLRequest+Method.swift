extension URLRequest {
    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL to request.
    ///   - method: The request method.
    public init(url: URL, method: HTTPMethod) {
        self.init(url: url)
        // GET is the default, and setting the method is slow: Foundation compares each name with those it knows.
        if method != .get { httpMethod = method.rawValue }
    }
}
