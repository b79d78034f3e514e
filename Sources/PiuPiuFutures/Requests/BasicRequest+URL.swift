extension BasicRequest {
    /// Makes the URL of the request from the base URL, by appending the path to its path and the query to its query.
    ///
    /// Characters that are not allowed in a path or a query are percent-encoded, and so is a `+` in the query, which servers
    /// read as a space. The fragment of the base URL is dropped.
    ///
    /// - Parameter baseURL: The server, and the part of the path common to all requests to it.
    /// - Returns: The URL.
    /// - Throws: `TransportError` with the code `invalidURL` if the result is not a valid URL.
    public func url(withBaseURL baseURL: URL) throws -> URL {
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw TransportError(.invalidURL)
        }
        components.fragment = nil
        components.percentEncodedPath = Self.joined(components.percentEncodedPath, path)
        if !queryItems.isEmpty {
            let old = components.percentEncodedQuery.map { $0.isEmpty ? [] : [$0] } ?? []
            components.percentEncodedQuery = (old + [encodedQuery]).joined(separator: "&")
        }
        guard let url = components.url else { throw TransportError(.invalidURL) }
        return url
    }

    private var encodedQuery: String {
        var components = URLComponents()
        components.queryItems = queryItems
        return (components.percentEncodedQuery ?? "").replacing("+", with: "%2B")
    }

    private static func joined(_ base: String, _ path: String) -> String {
        guard !path.isEmpty else { return base }
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        var components = URLComponents()
        components.path = path.hasPrefix("/") ? path : "/" + path
        return base + components.percentEncodedPath
    }
}
