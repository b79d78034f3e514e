/// The type of the values that a ``PathComponent/wildcard(type:)`` matches.
public enum WildcardType: Sendable, Hashable {
    /// A decimal integer that fits into `Int`, with or without a sign.
    case integer

    /// Any text.
    case string
}
