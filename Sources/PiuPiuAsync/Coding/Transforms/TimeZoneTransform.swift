/// Reads and writes time zones by their identifiers, such as `America/Montreal`.
public struct TimeZoneTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Finds the time zone of an identifier.
    ///
    /// - Parameters:
    ///   - json: An identifier that the system knows.
    ///   - codingPath: Where it was read.
    /// - Returns: The time zone.
    /// - Throws: `DecodingError.dataCorrupted` for any other text.
    public func from(json: String, codingPath: [any CodingKey]) throws -> TimeZone {
        // Foundation on Linux reads an identifier up to NUL, and keeps the rest.
        guard !json.utf8.contains(0), let timeZone = TimeZone(identifier: json) else {
            throw DecodingError.notTransformable("The text is not the identifier of a time zone.", at: codingPath)
        }
        return timeZone
    }

    /// Gives the identifier of a time zone.
    ///
    /// - Parameters:
    ///   - value: The time zone.
    ///   - codingPath: Where it will be written.
    /// - Returns: The identifier.
    public func toJSON(_ value: TimeZone, codingPath: [any CodingKey]) -> String {
        value.identifier
    }
}
