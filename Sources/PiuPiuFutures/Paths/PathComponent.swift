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

/// The type of the values that a ``PathComponent/wildcard(type:)`` matches.
public enum WildcardType: Sendable, Hashable {
    /// A decimal integer that fits into `Int`, with or without a sign.
    case integer

    /// Any text.
    case string
}

/// The value in a path for one ``PathComponent`` of a pattern.
public enum PathValue: Sendable, Hashable {
    /// The value of an integer wildcard.
    case integer(Int)

    /// The value of a constant or a string wildcard.
    case string(String)

    /// The value as text.
    public var string: String {
        switch self {
        case .integer(let number): String(number)
        case .string(let text): text
        }
    }
}

extension PathValue: CustomStringConvertible {
    /// The same as ``string``.
    public var description: String { string }
}

extension Sequence<PathValue> {
    /// The values as text, separated by slashes.
    public var string: String {
        map(\.string).joined(separator: "/")
    }
}
