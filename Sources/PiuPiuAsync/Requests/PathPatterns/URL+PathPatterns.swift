extension URL {
    /// Finds what stands in the path for each component of a pattern.
    ///
    /// Slashes separate the components of the path; empty ones, as before a leading and after a trailing slash, do not
    /// count. Each is percent-decoded by itself, so that `%2F` is part of a component. Neither query nor fragment
    /// matter, a relative URL counts as resolved, and `.` and `..` are components like others.
    ///
    /// - Parameter pattern: The components to expect, all of them.
    /// - Returns: A value for each component of the pattern, constants included; `nil` where the path has more or fewer
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

    /// Tells whether the path matches a pattern.
    ///
    /// - Parameter pattern: The components to expect, all of them.
    /// - Returns: Whether `pathValues(matching:)` has values.
    public func pathMatches(pattern: [PathComponent]) -> Bool {
        pathValues(matching: pattern) != nil
    }

    /// The integer for one wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index in the pattern, of an integer wildcard.
    ///   - pattern: The components to expect, all of them.
    /// - Returns: The integer; `nil` where the path does not match, the pattern has no such index, or another component
    ///   there.
    public func integerValue(atIndex index: Int, matching pattern: [PathComponent]) -> Int? {
        guard case .integer(let number)? = pathValue(atIndex: index, matching: pattern) else { return nil }
        return number
    }

    /// The text for one constant or string wildcard of a pattern.
    ///
    /// - Parameters:
    ///   - index: The index in the pattern, of a constant or a string wildcard.
    ///   - pattern: The components to expect, all of them.
    /// - Returns: The text, percent-decoded; `nil` where the path does not match, the pattern has no such index, or an
    ///   integer wildcard there.
    public func stringValue(atIndex index: Int, matching pattern: [PathComponent]) -> String? {
        guard case .string(let text)? = pathValue(atIndex: index, matching: pattern) else { return nil }
        return text
    }

    private func pathValue(atIndex index: Int, matching pattern: [PathComponent]) -> PathValue? {
        guard pattern.indices.contains(index) else { return nil }
        return pathValues(matching: pattern)?[index]
    }
}
