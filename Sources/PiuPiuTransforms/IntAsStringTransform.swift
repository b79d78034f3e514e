/// Reads and writes integers that are texts in JSON, such as `"id": "9007199254740993"`.
///
/// Servers write large numbers this way, because JavaScript would round them. Unlike with ``IntFromStringTransform``, a
/// written value can be read back unchanged. The type of the integer is that of the property:
///
/// ```swift
/// self.id = try container.decode(using: IntAsStringTransform(), forKey: .id)
/// ```
public struct IntAsStringTransform<Value: FixedWidthInteger & Sendable>: Transform, Sendable {
    /// Creates a transform.
    ///
    /// - Parameter type: The type of the integer; omit it if it can be inferred from the property.
    public init(_ type: Value.Type = Value.self) {}

    /// Reads an integer.
    ///
    /// - Parameters:
    ///   - json: Decimal digits, with or without a sign.
    ///   - codingPath: The path from which it was read.
    /// - Returns: The integer.
    /// - Throws: `DecodingError.dataCorrupted` for any other text, and for a number that does not fit.
    public func from(json: String, codingPath: [any CodingKey]) throws -> Value {
        guard let number = Value(json) else {
            throw DecodingError.notTransformable("The text is not an integer of type \(Value.self).", at: codingPath)
        }
        return number
    }

    /// Writes an integer.
    ///
    /// - Parameters:
    ///   - value: The integer.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: Its decimal digits, with a sign if it is negative.
    public func toJSON(_ value: Value, codingPath: [any CodingKey]) -> String {
        String(value)
    }
}

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
