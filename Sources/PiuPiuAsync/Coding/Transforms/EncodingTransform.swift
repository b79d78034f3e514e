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
    ///   - codingPath: The path to which it will be written, including its own key; for the context of errors.
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
