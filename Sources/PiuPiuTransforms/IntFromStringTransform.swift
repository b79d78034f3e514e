/// Converts texts to integers, in both directions.
///
/// A model reads a text as an integer, or writes its text as an integer.
///
/// A written value cannot be read back. For a property that is an integer in the model and a text in JSON in both
/// directions, use ``IntAsStringTransform``.
public struct IntFromStringTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Reads an integer from a text.
    ///
    /// - Parameters:
    ///   - json: Decimal digits, with or without a sign.
    ///   - codingPath: The path from which it was read.
    /// - Returns: The integer.
    /// - Throws: `DecodingError.dataCorrupted` for any other text, and for a number beyond 64 bits.
    public func from(json: String, codingPath: [any CodingKey]) throws -> Int64 {
        guard let number = Int64(json) else {
            throw DecodingError.notTransformable("The text is not an integer of 64 bits.", at: codingPath)
        }
        return number
    }

    /// Writes a text as an integer.
    ///
    /// - Parameters:
    ///   - value: Decimal digits, with or without a sign.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: The integer.
    /// - Throws: `EncodingError.invalidValue` for any other text, and for a number beyond 64 bits.
    public func toJSON(_ value: String, codingPath: [any CodingKey]) throws -> Int64 {
        guard let number = Int64(value) else {
            throw EncodingError.notTransformable(value, "The text is not an integer of 64 bits.", at: codingPath)
        }
        return number
    }
}

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
