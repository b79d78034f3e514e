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
        /// Values are nested more than 100 levels deep.
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

extension FormEncodingError: ExplainedError {
    /// The reason, the setting to change, and the path, without the value.
    public var description: String {
        let reason = code.text + (explanation.setting.map { " (\($0))" } ?? "")
        return path.isEmpty ? reason : "\(reason): \(path.prefix(10).joined(separator: "."))"
    }

    package var explanation: ErrorExplanation { code.explanation }
}
