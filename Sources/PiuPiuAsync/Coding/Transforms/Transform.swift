/// A transform for both directions, like `Codable` for types.
public protocol Transform: EncodingTransform, DecodingTransform {}

extension DecodingError {
    /// Returns the error for a JSON value that does not represent a value of the model.
    ///
    /// It does not contain the text that was read, which may be a secret.
    static func notTransformable(_ problem: String, at codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: problem))
    }

    /// Reads a value, and adds the coding path to the error for a number that does not fit its type.
    ///
    /// Foundation's JSON decoder throws a private error for `0.5` if `Int64` is requested, and later converts it to a
    /// `DecodingError` without a path. Any other error is passed on unchanged.
    static func locating<Value>(at codingPath: [any CodingKey], _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error where Value.self is any Numeric.Type && !(error is DecodingError) {
            throw notTransformable("The number does not fit the type \(Value.self).", at: codingPath)
        }
    }
}

extension EncodingError {
    /// Returns the error for a value that cannot be represented.
    static func notTransformable(_ value: Any, _ problem: String, at codingPath: [any CodingKey]) -> EncodingError {
        .invalidValue(value, Context(codingPath: codingPath, debugDescription: problem))
    }
}
