/// Takes an empty text for none.
///
/// With `decodeIfPresent`, a text that is missing, `null` or empty is `nil`:
///
/// ```swift
/// self.value = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .value)
/// ```
public struct EmptyStringTransform: Transform, Sendable {
    /// Creates a transform.
    public init() {}

    /// Takes an empty text for none.
    ///
    /// - Parameters:
    ///   - json: What was read. It may be `null`, because that is what this transform writes for an empty text.
    ///   - codingPath: Where it was read.
    /// - Returns: The text, `nil` where it is empty.
    public func from(json: String?, codingPath: [any CodingKey]) -> String? {
        json?.isEmpty == false ? json : nil
    }

    /// Takes an empty text for none.
    ///
    /// - Parameters:
    ///   - value: The text.
    ///   - codingPath: Where it will be written.
    /// - Returns: The text, `nil` where it is empty, which is written as `null`.
    public func toJSON(_ value: String?, codingPath: [any CodingKey]) -> String? {
        value?.isEmpty == false ? value : nil
    }
}
