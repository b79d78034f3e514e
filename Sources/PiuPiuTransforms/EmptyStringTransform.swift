/// Treats an empty text as `nil`.
///
/// With `decodeIfPresent`, a text that is missing, `null` or empty is `nil`:
///
/// ```swift
/// self.value = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .value)
/// ```
public struct EmptyStringTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Converts an empty text to `nil`.
    ///
    /// - Parameters:
    ///   - json: The value that was read. It may be `null`, because this transform writes `null` for an empty text.
    ///   - codingPath: The path from which it was read.
    /// - Returns: The text; `nil` if it is empty.
    public func from(json: String?, codingPath: [any CodingKey]) -> String? {
        json?.isEmpty == false ? json : nil
    }

    /// Converts an empty text to `nil`.
    ///
    /// - Parameters:
    ///   - value: The text.
    ///   - codingPath: The path to which it will be written.
    /// - Returns: The text; `nil` if it is empty, which is written as `null`.
    public func toJSON(_ value: String?, codingPath: [any CodingKey]) -> String? {
        value?.isEmpty == false ? value : nil
    }
}
