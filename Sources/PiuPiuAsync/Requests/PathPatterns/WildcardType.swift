/// What a ``PathComponent/wildcard(type:)`` stands for.
public enum WildcardType: Sendable, Hashable {
    /// A decimal integer that fits into `Int`, with or without a sign.
    case integer

    /// Any text.
    case string
}
