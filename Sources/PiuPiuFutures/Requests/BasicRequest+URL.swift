extension BasicRequest {
    /// Makes the URL of the request: the path is appended to that of the base URL, and so is the query.
    ///
    /// What a path or a query may not have as it is, is percent-encoded, and so is a `+` in the query, which servers take
    /// for a space. The base URL's fragment is left out.
    ///
    /// - Parameter baseURL: The server, and the part of the path that all requests to it share.
    /// - Returns: The URL.
    /// - Throws: `TransportError` with the code `invalidURL` where there is no such URL.
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
