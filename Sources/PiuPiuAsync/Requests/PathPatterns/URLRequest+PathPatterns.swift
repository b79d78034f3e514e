extension URLRequest {
    /// Returns the value in the URL's path for each component of a pattern.
    ///
    /// The rules are those of `URL`: slashes separate components, empty components are ignored, and each component is
    /// percent-decoded separately.
    ///
    /// - Parameter pattern: All components to expect.
    /// - Returns: A value for each component of the pattern, including constants; `nil` if the path does not match or
    ///   the request has no URL.
    public func pathValues(matching pattern: [PathComponent]) -> [PathValue]? {
        url?.pathValues(matching: pattern)
    }

    /// Returns whether the path of the URL matches a pattern.
    ///
    /// - Parameter pattern: All components to expect.
    /// - Returns: Whether `pathValues(matching:)` returns values; `false` if the request has no URL.
    public func pathMatches(pattern: [PathComponent]) -> Bool {
        pathValues(matching: pattern) != nil
    }

    /// Returns the integer for one wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index of an integer wildcard in the pattern.
    ///   - pattern: All components to expect.
    /// - Returns: The integer; `nil` if the path does not match, if the pattern has no integer wildcard at that index,
    ///   or if the request has no URL.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        url?.integerValue(atIndex: index, matching: pattern)
    }

    /// Returns the text for one constant or string wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index of a constant or a string wildcard in the pattern.
    ///   - pattern: All components to expect.
    /// - Returns: The text, percent-decoded; `nil` if the path does not match, if the pattern has no constant or string
    ///   wildcard at that index, or if the request has no URL.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        url?.stringValue(atIndex: index, matching: pattern)
    }
}
