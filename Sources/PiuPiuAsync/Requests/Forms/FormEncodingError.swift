/// An error for a value that a form cannot express.
public struct FormEncodingError: Error, Sendable, Hashable {
    /// The reason.
    public enum Code: Sendable, Hashable {
        /// The value is a text, a number or an array, and has no names.
        case noNames
        /// An array contains structures or arrays, and its names do not number its elements.
        ///
        /// ``FormURLEncoder/ArrayFormat/indexed`` can express it.
        case nestedInArray
        /// A number is infinite or not a number.
        case nonFiniteNumber
        /// A date is outside the years 0000 to 9999, or not a number.
        case invalidDate
        /// Values are nested more than 100 deep.
        case tooDeep
    }

    /// The reason.
    public let code: Code
    /// The keys and indexes that lead to the value.
    public let path: [String]

    init(_ code: Code, _ path: [any CodingKey]) {
        self.code = code
        self.path = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    }
}

extension FormEncodingError: LocalizedError, CustomStringConvertible {
    /// The reason and the path, without the value.
    public var description: String {
        let reason =
            switch code {
            case .noNames: "A form consists of named values, so only structures and dictionaries can be encoded"
            case .nestedInArray: "An array of structures or arrays needs names with indexes (ArrayFormat.indexed)"
            case .nonFiniteNumber: "A number is infinite or not a number"
            case .invalidDate: "A date is outside the years 0000 to 9999"
            case .tooDeep: "Values are nested too deep"
            }
        return path.isEmpty ? reason : "\(reason): \(path.prefix(10).joined(separator: "."))"
    }

    /// The same as the description.
    public var errorDescription: String? { description }
}
