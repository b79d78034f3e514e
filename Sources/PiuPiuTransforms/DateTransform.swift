/// Reads and writes dates as text, in the format of a `DateFormatter`.
///
/// If every date of a document has the same format, a date strategy of the decoder and encoder is shorter; this
/// transform is for models that mix formats.
///
/// The transform keeps a copy of the formatter, so that any number of threads can use it, whatever happens to the original.
public struct DateTransform: Transform, Sendable {
    /// The limit of Foundation's calendars on Linux, in seconds from 1970: about 5.8 million years in both directions.
    private static let farthest = 1.8e14

    private let ownFormatter: DateFormatter

    /// A copy of the formatter, so that changing it does not change the transform.
    public var formatter: DateFormatter {
        Self.copy(of: ownFormatter)
    }

    /// Creates a transform.
    ///
    /// - Parameter formatter: The format. It is copied, except for an object of a subclass that cannot be copied as
    ///   that subclass, which is used directly.
    public init(formatter: DateFormatter) {
        ownFormatter = Self.copy(of: formatter)
    }

    /// Creates a transform, with the signature of PiuPiu 1.8 and newer.
    ///
    /// - Parameters:
    ///   - formatter: The format.
    ///   - codingPath: Not used; errors contain the path that the container provides.
    @available(*, deprecated, renamed: "init(formatter:)")
    public init(formatter: DateFormatter, codingPath: [any CodingKey]) {
        self.init(formatter: formatter)
    }

    /// Reads a date.
    ///
    /// - Parameters:
    ///   - json: A text in the format. Characters of more than one UTF-16 unit, such as emoji and letters with a
    ///     separate accent, are not valid in a date.
    ///   - codingPath: The path from which it was read.
    /// - Returns: The date.
    /// - Throws: `DecodingError.dataCorrupted` for any other text.
    public func from(json: String, codingPath: [any CodingKey]) throws -> Date {
        // Foundation on Linux crashes if parsing stops inside a character (Swift 6.3, `2020-01-01` followed by U+0301), so
        // every character must be a single unit.
        guard json.allSatisfy({ $0.utf16.count == 1 }), let date = ownFormatter.date(from: json) else {
            throw DecodingError.notTransformable("The text is not a date in the expected format.", at: codingPath)
        }
        return date
    }

    /// Writes a date.
    ///
    /// - Parameters:
    ///   - value: The date.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: The date as a text in the format.
    /// - Throws: `EncodingError.invalidValue` for a date that is not a number, or beyond about 5.8 million years.
    public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> String {
        // Foundation writes an empty text or another date for these dates. The comparison fails for NaN.
        guard value.timeIntervalSince1970.magnitude <= Self.farthest else {
            // The number instead of the date: describing a date that is NaN crashes Foundation.
            let problem = "The date is beyond the calendar."
            throw EncodingError.notTransformable(value.timeIntervalSince1970, problem, at: codingPath)
        }
        return ownFormatter.string(from: value)
    }

    private static func copy(of formatter: DateFormatter) -> DateFormatter {
        // On Linux, the copy of an object of a subclass is a plain formatter.
        guard let copy = formatter.copy() as? DateFormatter, type(of: copy) == type(of: formatter) else {
            return formatter
        }
        // Foundation on Linux does not copy it.
        copy.defaultDate = formatter.defaultDate
        return copy
    }
}
