/// Reads and writes texts that stand in JSON as integers, such as identifiers that a model treats as text.
///
/// What is written is read again as it was, unlike with ``StringFromIntTransform``.
public struct StringAsIntTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Gives the digits of an integer.
    ///
    /// - Parameters:
    ///   - json: The integer.
    ///   - codingPath: Where it was read.
    /// - Returns: Its decimal digits, with a sign where it is negative.
    public func from(json: Int64, codingPath: [any CodingKey]) -> String {
        String(json)
    }

    /// Writes a text as an integer.
    ///
    /// - Parameters:
    ///   - value: Decimal digits, with a minus where it is negative.
    ///   - codingPath: Where it will be written.
    /// - Returns: The integer.
    /// - Throws: `EncodingError.invalidValue` for any other text, for a number beyond 64 bits, and for `007` or `+7`,
    ///   which would not be read as they were.
    public func toJSON(_ value: String, codingPath: [any CodingKey]) throws -> Int64 {
        guard let number = Int64(value), String(number) == value else {
            throw EncodingError.notTransformable(value, "The text is not a plain integer of 64 bits.", at: codingPath)
        }
        return number
    }
}
