/// Reads and writes time zones by their identifiers, such as `America/Montreal`.
public struct TimeZoneTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Returns the time zone for an identifier.
    ///
    /// - Parameters:
    ///   - json: An identifier that the system knows.
    ///   - codingPath: The path from which it was read.
    /// - Returns: The time zone.
    /// - Throws: `DecodingError.dataCorrupted` for any other text.
    public func from(json: String, codingPath: [any CodingKey]) throws -> TimeZone {
        guard Self.isReadable(json), let timeZone = TimeZone(identifier: json) else {
            throw DecodingError.notTransformable("The text is not the identifier of a time zone.", at: codingPath)
        }
        return timeZone
    }

    /// Returns whether Foundation on Linux can safely look up an identifier.
    ///
    /// Foundation reads an identifier only up to NUL but keeps the rest, and it crashes if anything but numbers and colons
    /// follows "GMT+" or "GMT-".
    private static func isReadable(_ identifier: String) -> Bool {
        guard !identifier.utf8.contains(0) else { return false }
        guard identifier.utf8.prefix(3).elementsEqual("GMT".utf8, by: { $0.asciiLowercased == $1.asciiLowercased })
        else {
            return true
        }
        let rest = identifier.utf8.dropFirst(3)
        guard let sign = rest.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) else { return true }
        let parts = rest.dropFirst().split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count <= 3
            && parts.allSatisfy { part in
                (1...6).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    /// Returns the identifier of a time zone.
    ///
    /// - Parameters:
    ///   - value: The time zone.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: The identifier.
    public func toJSON(_ value: TimeZone, codingPath: [any CodingKey]) -> String {
        value.identifier
    }
}
