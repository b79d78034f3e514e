/// A transform for both directions, like `Codable` for types.
public protocol Transform: EncodingTransform, DecodingTransform {}

extension DecodingError {
    /// Returns the error for a JSON value that does not represent a value of the model.
    ///
    /// It does not contain the text, which may be a secret.
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

/// Converts a decoded JSON value to a value of the model.
///
/// Use it for a type that is not `Decodable`, or that one model reads differently from another. The containers of
/// decoders accept it:
///
/// ```swift
/// self.timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
/// ```
public protocol DecodingTransform {
    /// The type that is read from JSON.
    associatedtype JSONSource: Decodable

    /// The type of the value in the model.
    associatedtype ValueDestination

    /// Converts a JSON value to a value of the model.
    ///
    /// - Parameters:
    ///   - json: The value that was read.
    ///   - codingPath: The path from which it was read, including its own key, for the context of errors.
    /// - Returns: The value for the model.
    /// - Throws: A `DecodingError` with `codingPath` if the JSON value does not represent a value, or an error of your
    ///   own. The containers pass it on unchanged.
    func from(json: JSONSource, codingPath: [any CodingKey]) throws -> ValueDestination
}

extension DecodingTransform {
    /// Converts a JSON value to a value of the model, without its path.
    ///
    /// - Parameter json: The value that was read.
    /// - Returns: The value for the model.
    /// - Throws: The errors of ``from(json:codingPath:)``, with an empty coding path.
    @available(*, deprecated, renamed: "from(json:codingPath:)")
    public func transform(json: JSONSource) throws -> ValueDestination {
        try from(json: json, codingPath: [])
    }
}

/// Converts a value of the model to the value that is written to JSON.
///
/// Use it for a type that is not `Encodable`, or that one model writes differently from another. The containers of
/// encoders accept it:
///
/// ```swift
/// try container.encode(timeZone, forKey: .timeZoneId, using: TimeZoneTransform())
/// ```
public protocol EncodingTransform {
    /// The type of the value in the model.
    associatedtype ValueSource

    /// The type that is written to JSON.
    associatedtype JSONDestination: Encodable

    /// Converts a value of the model to a JSON value.
    ///
    /// - Parameters:
    ///   - value: The value of the model.
    ///   - codingPath: The path to which it will be written, including its own key, for the context of errors.
    /// - Returns: The value to write.
    /// - Throws: An `EncodingError` with `codingPath` if the value cannot be represented, or an error of your own. The
    ///   containers pass it on unchanged.
    func toJSON(_ value: ValueSource, codingPath: [any CodingKey]) throws -> JSONDestination
}

extension EncodingTransform {
    /// Converts a value of the model to a JSON value, without its path.
    ///
    /// - Parameter value: The value of the model.
    /// - Returns: The value to write.
    /// - Throws: The errors of ``toJSON(_:codingPath:)``, with an empty coding path.
    @available(*, deprecated, renamed: "toJSON(_:codingPath:)")
    public func transform(value: ValueSource) throws -> JSONDestination {
        try toJSON(value, codingPath: [])
    }
}
