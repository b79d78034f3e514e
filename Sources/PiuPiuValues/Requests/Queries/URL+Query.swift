extension URL {
    /// Returns the URL with items appended to its query.
    ///
    /// ```swift
    /// let page = url.appending(query: ["tag": ["swift", "c++"], "page": 2])  // …&tag=swift&tag=c%2B%2B&page=2
    /// ```
    ///
    /// The URL's own query is kept byte for byte, including its escapes, and so is its fragment. In contrast to
    /// `appending(queryItems:)`, everything but unreserved characters is encoded, in particular `+`, which many servers
    /// read as a space. See ``QueryItems`` for arrays and `nil`.
    ///
    /// - Parameter query: The items.
    /// - Returns: The URL; the same URL if there is nothing to write.
    public func appending(query: QueryItems) -> URL {
        guard !query.isEmpty else { return self }
        // A reference to the base itself also has the query of the base (RFC 3986 §5.2.2).
        let refersToBase = relativeString.utf8.first.map { $0 == UInt8(ascii: "#") } ?? true
        let url = refersToBase ? absoluteURL : self
        let text = url.relativeString
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let head = text[..<fragment]
        let oldQuery = head.utf8.firstIndex(of: UInt8(ascii: "?")).map { head[$0...].dropFirst() }
        let separator =
            switch oldQuery {
            case nil: "?"
            case let query? where query.isEmpty || query.hasSuffix("&"): ""
            default: "&"
            }
        let result = head + separator + query.percentEncoded + text[fragment...]
        // The text is a URL with more valid characters, so it remains one.
        return URL(string: String(result), relativeTo: url.baseURL) ?? self
    }
}
