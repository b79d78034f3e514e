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
    ///   - codingPath: The path from which it was read, including its own key; for the context of errors.
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
