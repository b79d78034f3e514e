/// One field line of an HTTP message.
public struct HTTPHeaderField: Sendable, Hashable {
    /// The name as written; names are compared without regard to case (RFC 9110 §5.1).
    public var name: String
    /// The value, without the white space around it.
    public var value: String

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeaderField: Redacted {
    /// The line as text, with the value of a secret replaced, and URLs without user information, query and fragment.
    public var description: String { Redaction.standard.text(of: self) }

    /// The line, with the value of a secret replaced.
    package var shown: KeyValuePairs<String, Any> { ["description": description] }
}

/// The header fields of an HTTP message: ordered, with any number of values for a name.
///
/// Names are compared without regard to case (RFC 9110 §5.1). The order of arrival is kept, and so is every line of a
/// field that was sent more than once.
public struct HTTPHeaderFields: Sendable, RandomAccessCollection, RangeReplaceableCollection {
    private var fields: [HTTPHeaderField]
    /// Names of secret fields, in addition to the standard ones.
    private var sensitiveNames: [String] = []

    /// Creates an empty list.
    public init() {
        fields = []
    }

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    ///
    /// - Parameter position: A valid index.
    public subscript(position: Int) -> HTTPHeaderField {
        fields[position]
    }

    /// Replaces a range of fields.
    ///
    /// - Parameters:
    ///   - subrange: The positions to replace.
    ///   - newElements: The fields to put there.
    public mutating func replaceSubrange(_ subrange: Range<Int>, with newElements: some Collection<HTTPHeaderField>) {
        fields.replaceSubrange(subrange, with: newElements)
    }

    /// The combined value of a field; `nil` if the field is absent.
    ///
    /// Reading joins several lines with `", "` (RFC 9110 §5.3), except for `Set-Cookie`, which cannot be joined: the
    /// first line is returned, and ``values(for:)-(String)`` returns all of them. Writing replaces every line of that name.
    ///
    /// - Parameter name: The field's name; case does not matter.
    public subscript(name: String) -> String? {
        get {
            var combined: String?
            for field in fields where field.name.isEqualIgnoringASCIICase(to: name) {
                guard combined != nil else {
                    combined = field.value
                    continue
                }
                if name.isEqualIgnoringASCIICase(to: "Set-Cookie") { break }
                // Append in place: a server may send tens of thousands of lines.
                combined?.append(", ")
                combined?.append(field.value)
            }
            return combined
        }
        set {
            let index = fields.firstIndex { $0.name.isEqualIgnoringASCIICase(to: name) }
            fields.removeAll { $0.name.isEqualIgnoringASCIICase(to: name) }
            guard let newValue else { return }
            let field = HTTPHeaderField(name: name, value: newValue)
            if let index { fields.insert(field, at: index) } else { fields.append(field) }
        }
    }

    /// Every value of a field, in order.
    ///
    /// - Parameter name: The field's name; case does not matter.
    /// - Returns: The values; empty if the field is absent.
    public func values(for name: String) -> [String] {
        fields.compactMap { $0.name.isEqualIgnoringASCIICase(to: name) ? $0.value : nil }
    }

    /// Adds a line and keeps the existing lines of that name.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    public mutating func append(name: String, value: String) {
        fields.append(HTTPHeaderField(name: name, value: value))
    }

    /// Returns whether a field is present.
    ///
    /// - Parameter name: The field's name; case does not matter.
    /// - Returns: `true` if at least one line has that name.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.name.isEqualIgnoringASCIICase(to: name) }
    }
}

extension HTTPHeaderFields: ExpressibleByDictionaryLiteral {
    /// Creates a list from a literal, in the order of the literal: `[.accept: "text/csv", "X-Request-ID": "17"]`.
    ///
    /// - Parameter elements: Names and values; a name may occur more than once.
    public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
        fields = elements.map { HTTPHeaderField(name: $0, value: $1) }
    }
}

extension HTTPHeaderFields: Hashable {
    /// Returns whether two lists have the same lines in the same order; names are compared without regard to case.
    ///
    /// - Parameters:
    ///   - lhs: A list.
    ///   - rhs: Another list.
    /// - Returns: `true` if both have the same lines.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.fields.count == rhs.fields.count
            && zip(lhs.fields, rhs.fields).allSatisfy {
                $0.value == $1.value && $0.name.isEqualIgnoringASCIICase(to: $1.name)
            }
    }

    /// Feeds the lines to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name.lowercased())
            hasher.combine(field.value)
        }
    }
}

extension HTTPHeaderFields: Redacted {
    /// The lines as text, with the values of secrets replaced.
    ///
    /// Secrets are the values of `Authorization`, `Cookie` and similar fields, of fields in which common services send
    /// keys and tokens, and, in the response to a request, of ``RequestOptions/sensitiveHeaders``. URLs in other values, such
    /// as those of `Location`, `Link` and `Refresh`, are shown without user information, query and fragment. Characters that
    /// a terminal could interpret are escaped.
    public var description: String {
        let redaction = Redaction.standard.hiding(sensitiveNames)
        var text: [UInt8] = []
        for field in fields {
            if !text.isEmpty { text.append(0x0A) }
            redaction.append(field, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The lines, with the values of secrets replaced.
    package var shown: KeyValuePairs<String, Any> { ["fields": description] }

    /// Returns the same fields, with the values of more names hidden when they are printed.
    package func hiding(_ names: [String]) -> HTTPHeaderFields {
        guard !names.isEmpty else { return self }
        var copy = self
        copy.sensitiveNames = names
        return copy
    }
}
