/// One component of a pattern for a URL's path.
///
/// A pattern is an array of components, and a string literal is a constant:
///
/// ```swift
/// let pattern: [PathComponent] = ["posts", .wildcard(type: .integer)]
/// ```
public enum PathComponent: Sendable, Hashable {
    /// Matches this text only.
    case constant(String)

    /// Matches any value of a type.
    case wildcard(type: WildcardType)

    /// The component as readable text: the constant, `:integer` or `:string`.
    public var displayValue: String {
        switch self {
        case .constant(let text): text
        case .wildcard(type: .integer): ":integer"
        case .wildcard(type: .string): ":string"
        }
    }
}

extension PathComponent: ExpressibleByStringLiteral {
    /// Creates a constant.
    ///
    /// - Parameter value: The text, which is a constant even if it looks like the text of a wildcard.
    public init(stringLiteral value: String) {
        self = .constant(value)
    }
}

extension PathComponent: CustomStringConvertible {
    /// The same as ``displayValue``.
    public var description: String { displayValue }
}

extension Sequence<PathComponent> {
    /// The pattern as readable text, such as `posts/:integer`.
    public var displayValue: String {
        map(\.displayValue).joined(separator: "/")
    }
}
