/// Reads and writes URLs as text, such as `https://example.com`.
///
/// Foundation's JSON coders do the same for properties of type `URL`. Other coders would write an object with the base
/// and the relative part.
public struct URLTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Reads a URL.
    ///
    /// - Parameters:
    ///   - json: A URL. Characters that are not allowed in it are percent-encoded, and escapes stay as they are; see
    ///     `URL(reference:relativeTo:)`. Foundation's coders would encode escapes again.
    ///   - codingPath: The path from which it was read.
    /// - Returns: The URL.
    /// - Throws: `DecodingError.dataCorrupted` if the text is not a URL; it may be empty.
    public func from(json: String, codingPath: [any CodingKey]) throws -> URL {
        guard let url = URL(reference: json) else {
            throw DecodingError.notTransformable("The text is not a URL.", at: codingPath)
        }
        return url
    }

    /// Writes a URL.
    ///
    /// - Parameters:
    ///   - value: The URL.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: The URL as text; a relative URL with a base is resolved.
    public func toJSON(_ value: URL, codingPath: [any CodingKey]) -> String {
        value.absoluteString
    }
}
