extension URLRequest {
    /// Finds what stands in the path of the URL for each component of a pattern.
    ///
    /// The rules are those of `URL`: slashes separate components, empty ones do not count, each is percent-decoded by
    /// itself.
    ///
    /// - Parameter pattern: The components to expect, all of them.
    /// - Returns: A value for each component of the pattern, constants included; `nil` where the path does not match, or
    ///   the request has no URL.
    public func pathValues(matching pattern: [PathComponent]) -> [PathValue]? {
        url?.pathValues(matching: pattern)
    }

    /// Tells whether the path of the URL matches a pattern.
    ///
    /// - Parameter pattern: The components to expect, all of them.
    /// - Returns: Whether `pathValues(matching:)` has values; `false` without a URL.
    public func pathMatches(pattern: [PathComponent]) -> Bool {
        pathValues(matching: pattern) != nil
    }

    /// The integer for one wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index in the pattern, of an integer wildcard.
    ///   - pattern: The components to expect, all of them.
    /// - Returns: The integer; `nil` where the path does not match, the pattern has no such index, or another component
    ///   there, and without a URL.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        url?.integerValue(atIndex: index, matching: pattern)
    }

    /// The text for one constant or string wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index in the pattern, of a constant or a string wildcard.
    ///   - pattern: The components to expect, all of them.
    /// - Returns: The text, percent-decoded; `nil` where the path does not match, the pattern has no such index, or an
    ///   integer wildcard there, and without a URL.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        url?.stringValue(atIndex: index, matching: pattern)
    }
}
