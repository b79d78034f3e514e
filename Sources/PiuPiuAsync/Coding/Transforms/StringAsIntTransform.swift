/// Reads and writes texts that are integers in JSON, such as identifiers that a model treats as text.
///
/// Unlike with ``StringFromIntTransform``, a written value can be read back unchanged.
public struct StringAsIntTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Returns the digits of an integer.
    ///
    /// - Parameters:
    ///   - json: The integer.
    ///   - codingPath: The path from which it was read.
    /// - Returns: Its decimal digits, with a sign if it is negative.
    public func from(json: Int64, codingPath: [any CodingKey]) -> String {
        String(json)
    }

    /// Writes a text as an integer.
    ///
    /// - Parameters:
    ///   - value: Decimal digits, with a minus sign if it is negative.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: The integer.
    /// - Throws: `EncodingError.invalidValue` for any other text, for a number beyond 64 bits, and for `007` or `+7`,
    ///   which could not be read back unchanged.
    public func toJSON(_ value: String, codingPath: [any CodingKey]) throws -> Int64 {
        guard let number = Int64(value), String(number) == value else {
            throw EncodingError.notTransformable(value, "The text is not a plain integer of 64 bits.", at: codingPath)
        }
        return number
    }
}
