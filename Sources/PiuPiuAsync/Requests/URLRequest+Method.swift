extension URLRequest {
    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL to ask.
    ///   - method: The request method.
    public init(url: URL, method: HTTPMethod) {
        self.init(url: url)
        // It is what Foundation begins with, and dear to set: each name is compared with those it knows.
        if method != .get { httpMethod = method.rawValue }
    }
}
