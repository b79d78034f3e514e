/// Converts integers to texts, in both directions.
///
/// A model reads an integer as a text, or writes its integer as a text.
///
/// A written value cannot be read back. For a property that is a text in the model and an integer in JSON in both
/// directions, use ``StringAsIntTransform``.
public struct StringFromIntTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Returns the digits of an integer that was read.
    ///
    /// - Parameters:
    ///   - json: The integer.
    ///   - codingPath: The path from which it was read.
    /// - Returns: Its decimal digits, with a sign if it is negative.
    public func from(json: Int64, codingPath: [any CodingKey]) -> String {
        String(json)
    }

    /// Returns the digits of an integer that will be written.
    ///
    /// - Parameters:
    ///   - value: The integer.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: Its decimal digits, with a sign if it is negative.
    public func toJSON(_ value: Int64, codingPath: [any CodingKey]) -> String {
        String(value)
    }
}
