/// Turns what was read into a value.
///
/// Use it for a value that is not `Decodable`, or that one model reads differently from another. The containers of
/// decoders take it:
///
/// ```swift
/// self.timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
/// ```
public protocol DecodingTransform {
    /// The type of what is read.
    associatedtype JSONSource: Decodable

    /// The type of the value in the model.
    associatedtype ValueDestination

    /// Turns what was read into a value.
    ///
    /// - Parameters:
    ///   - json: What was read.
    ///   - codingPath: Where it was read, its own key included; for the context of errors.
    /// - Returns: The value for the model.
    /// - Throws: A `DecodingError` with `codingPath` where what was read does not stand for a value, or an error of the
    ///   transform's own. The containers pass it on as it is.
    func from(json: JSONSource, codingPath: [any CodingKey]) throws -> ValueDestination
}

extension DecodingTransform {
    /// Turns what was read into a value, without saying where it was.
    ///
    /// - Parameter json: What was read.
    /// - Returns: The value for the model.
    /// - Throws: What ``from(json:codingPath:)`` throws, with an empty coding path.
    @available(*, deprecated, renamed: "from(json:codingPath:)")
    public func transform(json: JSONSource) throws -> ValueDestination {
        try from(json: json, codingPath: [])
    }
}
