/// Header fields in the order in which they occur in a message.
///
/// A dictionary literal creates a list; a name may occur more than once:
///
/// ```swift
/// let headers: HeaderList = ["Set-Cookie": "a=1", "Set-Cookie": "b=2"]
/// ```
public struct HeaderList: Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name, spelled as it arrived.
        public var name: String

        /// The value, without surrounding white space.
        public var value: String

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field]

    /// Creates a list.
    ///
    /// - Parameter fields: The fields, in order.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Creates a list from a literal.
    ///
    /// - Parameter elements: Names and values, in order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The position of the first field.
    public var startIndex: Int { 0 }

    /// The position after the last field.
    public var endIndex: Int { fields.count }

    /// Reads the field at a position.
    ///
    /// - Parameter position: A valid position.
    public subscript(position: Int) -> Field { fields[position] }

    /// Returns the first value of a field.
    ///
    /// - Parameter name: The field's name, in upper or lower case.
    /// - Returns: The value, or `nil` if there is no such field.
    public func first(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// Returns all values of a field.
    ///
    /// - Parameter name: The field's name, in upper or lower case.
    /// - Returns: The values, in order.
    public func all(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Appends a field.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Whether a list field such as `Connection` contains a token.
    func contains(token: String, in name: String) -> Bool {
        all(name).contains { value in
            value.lowercased().split(separator: ",").contains { part in
                part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" && $0 != ";" } == token
            }
        }
    }
}
