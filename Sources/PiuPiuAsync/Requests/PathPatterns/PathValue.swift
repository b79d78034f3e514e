/// What stands in a path for one ``PathComponent`` of a pattern.
public enum PathValue: Sendable, Hashable {
    /// What an integer wildcard stands for.
    case integer(Int)

    /// What a constant or a string wildcard stands for.
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
    /// The values as text, with a slash between each two.
    public var string: String {
        map(\.string).joined(separator: "/")
    }
}
