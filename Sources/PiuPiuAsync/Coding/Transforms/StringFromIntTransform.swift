/// Turns integers into texts, in both directions: a model reads an integer as a text, or writes its integer as a text.
///
/// A value does not come back as it went. For a property that is a text and stands in JSON as an integer both ways, use
/// ``StringAsIntTransform``.
public struct StringFromIntTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Gives the digits of an integer that was read.
    ///
    /// - Parameters:
    ///   - json: The integer.
    ///   - codingPath: Where it was read.
    /// - Returns: Its decimal digits, with a sign where it is negative.
    public func from(json: Int64, codingPath: [any CodingKey]) -> String {
        String(json)
    }

    /// Gives the digits of an integer that will be written.
    ///
    /// - Parameters:
    ///   - value: The integer.
    ///   - codingPath: Where it will be written.
    /// - Returns: Its decimal digits, with a sign where it is negative.
    public func toJSON(_ value: Int64, codingPath: [any CodingKey]) -> String {
        String(value)
    }
}
