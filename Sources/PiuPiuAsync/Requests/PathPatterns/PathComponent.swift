/// One component of a pattern for the path of a URL.
///
/// A pattern is an array of them, and a string literal is a constant:
///
/// ```swift
/// let pattern: [PathComponent] = ["posts", .wildcard(type: .integer)]
/// ```
public enum PathComponent: Sendable, Hashable {
    /// This text and no other.
    case constant(String)

    /// Anything of a type.
    case wildcard(type: WildcardType)

    /// The component for people to read: the constant, `:integer` or `:string`.
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
    /// - Parameter value: The text, which is a constant also where it looks like the display of a wildcard.
    public init(stringLiteral value: String) {
        self = .constant(value)
    }
}

extension PathComponent: CustomStringConvertible {
    /// The same as ``displayValue``.
    public var description: String { displayValue }
}

extension Sequence<PathComponent> {
    /// The pattern for people to read, such as `posts/:integer`.
    public var displayValue: String {
        map(\.displayValue).joined(separator: "/")
    }
}
