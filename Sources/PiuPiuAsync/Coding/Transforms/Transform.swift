/// A transform for both directions, as `Codable` is for types.
public protocol Transform: EncodingTransform, DecodingTransform {}

extension DecodingError {
    /// The error for what was read but does not stand for a value.
    ///
    /// The text that was read stays out of it, because it may be a secret.
    static func notTransformable(_ problem: String, at codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: problem))
    }

    /// Reads a number or something else, and says where a number was that does not fit its type.
    ///
    /// Foundation's JSON decoder throws a private error for `0.5` where `Int64` is asked for, and makes of it, outside,
    /// a `DecodingError` without a path. Any other error passes as it is.
    static func locating<Value>(at codingPath: [any CodingKey], _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error where Value.self is any Numeric.Type && !(error is DecodingError) {
            throw notTransformable("The number does not fit the type \(Value.self).", at: codingPath)
        }
    }
}

extension EncodingError {
    /// The error for a value that has no form to write.
    static func notTransformable(_ value: Any, _ problem: String, at codingPath: [any CodingKey]) -> EncodingError {
        .invalidValue(value, Context(codingPath: codingPath, debugDescription: problem))
    }
}
