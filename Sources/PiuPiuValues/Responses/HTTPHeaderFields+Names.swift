extension HTTPHeaderField {
    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    public init(name: HTTPHeaderName, value: String) {
        self.init(name: name.rawValue, value: value)
    }
}

extension HTTPHeaderFields {
    /// The combined value of a field; `nil` if the field is absent.
    ///
    /// It behaves like the subscript with a `String`.
    ///
    /// - Parameter name: The field's name.
    public subscript(name: HTTPHeaderName) -> String? {
        get { self[name.rawValue] }
        set { self[name.rawValue] = newValue }
    }

    /// Every value of a field, in order.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: The values; empty if the field is absent.
    public func values(for name: HTTPHeaderName) -> [String] {
        values(for: name.rawValue)
    }

    /// Adds a line and keeps the existing lines of that name.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    public mutating func append(name: HTTPHeaderName, value: String) {
        append(name: name.rawValue, value: value)
    }

    /// Returns whether a field is present.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: `true` if at least one line has that name.
    public func contains(_ name: HTTPHeaderName) -> Bool {
        contains(name.rawValue)
    }
}

extension URLRequest {
    /// The value of a header field; `nil` if the request has none.
    ///
    /// Setting a value replaces the field, and `nil` removes it. A request without a URL, which no dispatcher sends, is
    /// not changed.
    ///
    /// - Parameter name: The field's name.
    public subscript(name: HTTPHeaderName) -> String? {
        get { value(forHTTPHeaderField: name.rawValue) }
        set {
            // Foundation on Linux traps if a request without a URL is changed.
            guard url != nil else { return }
            setValue(nil, forHTTPHeaderField: name.rawValue)
            if let newValue { add(HTTPHeaderField(name: name, value: newValue)) }
        }
    }

    /// Adds a line to the lines of a field.
    ///
    /// Foundation on Linux drops a value with a line break or NUL, and the request would be sent without it. This method keeps
    /// it, so that the transport refuses the request.
    package mutating func add(_ field: HTTPHeaderField) {
        guard field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
            return addValue(field.value, forHTTPHeaderField: field.name)
        }
        var fields = allHTTPHeaderFields ?? [:]
        fields[field.name] = field.value
        allHTTPHeaderFields = fields
    }
}
