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
