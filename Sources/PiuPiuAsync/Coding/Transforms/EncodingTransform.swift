/// Turns a value into what is written in its place.
///
/// Use it for a value that is not `Encodable`, or that one model writes differently from another. The containers of
/// encoders take it:
///
/// ```swift
/// try container.encode(timeZone, forKey: .timeZoneId, using: TimeZoneTransform())
/// ```
public protocol EncodingTransform {
    /// The type of the value in the model.
    associatedtype ValueSource

    /// The type of what is written.
    associatedtype JSONDestination: Encodable

    /// Turns a value into what is written in its place.
    ///
    /// - Parameters:
    ///   - value: The value of the model.
    ///   - codingPath: Where it will be written, its own key included; for the context of errors.
    /// - Returns: What to write.
    /// - Throws: An `EncodingError` with `codingPath` where the value has no form to write, or an error of the
    ///   transform's own. The containers pass it on as it is.
    func toJSON(_ value: ValueSource, codingPath: [any CodingKey]) throws -> JSONDestination
}

extension EncodingTransform {
    /// Turns a value into what is written in its place, without saying where.
    ///
    /// - Parameter value: The value of the model.
    /// - Returns: What to write.
    /// - Throws: What ``toJSON(_:codingPath:)`` throws, with an empty coding path.
    @available(*, deprecated, renamed: "toJSON(_:codingPath:)")
    public func transform(value: ValueSource) throws -> JSONDestination {
        try toJSON(value, codingPath: [])
    }
}
