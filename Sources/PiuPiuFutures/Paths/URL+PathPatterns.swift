extension URL {
    /// Returns the value in the path for each component of a pattern.
    ///
    /// Slashes separate the components of the path; empty components, such as those before a leading and after a
    /// trailing slash, are ignored. Each component is percent-decoded separately, so that `%2F` is part of a component.
    /// Query and fragment are ignored, a relative URL is resolved first, and `.` and `..` are ordinary components.
    ///
    /// - Parameter pattern: All components to expect.
    /// - Returns: A value for each component of the pattern, including constants; `nil` if the path has more or fewer
    ///   components or one of them does not match. A component that is not UTF-8 matches nothing.
    public func pathValues(matching pattern: [PathComponent]) -> [PathValue]? {
        let components = path(percentEncoded: true).utf8.split(separator: UInt8(ascii: "/"))
        guard components.count == pattern.count else { return nil }
        var values: [PathValue] = []
        for (expected, component) in zip(pattern, components) {
            guard let text = String(Substring(component)).removingPercentEncoding else { return nil }
            switch expected {
            case .constant(let constant):
                guard text == constant else { return nil }
                values.append(.string(text))
            case .wildcard(type: .integer):
                guard let number = Int(text) else { return nil }
                values.append(.integer(number))
            case .wildcard(type: .string):
                values.append(.string(text))
            }
        }
        return values
    }

    /// Returns whether the path matches a pattern.
    ///
    /// - Parameter pattern: All components to expect.
    /// - Returns: Whether `pathValues(matching:)` returns values.
    public func pathMatches(pattern: [PathComponent]) -> Bool {
        pathValues(matching: pattern) != nil
    }

    /// Returns the integer for one wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index of an integer wildcard in the pattern.
    ///   - pattern: All components to expect.
    /// - Returns: The integer; `nil` if the path does not match, or if the pattern has no integer wildcard at that
    ///   index.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        guard case .integer(let number)? = pathValue(atIndex: index, matching: pattern) else { return nil }
        return number
    }

    /// Returns the text for one constant or string wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index of a constant or a string wildcard in the pattern.
    ///   - pattern: All components to expect.
    /// - Returns: The text, percent-decoded; `nil` if the path does not match, or if the pattern has no constant or
    ///   string wildcard at that index.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        guard case .string(let text)? = pathValue(atIndex: index, matching: pattern) else { return nil }
        return text
    }

    private func pathValue(atIndex index: Int, matching pattern: [PathComponent]) -> PathValue? {
        guard pattern.indices.contains(index) else { return nil }
        return pathValues(matching: pattern)?[index]
    }
}

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
