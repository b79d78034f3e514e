extension Duration {
    /// The duration in nanoseconds, at least zero and at most `Int64.max`.
    package var clampedNanoseconds: Int64 {
        // Compare first: `components` traps if the seconds do not fit into an `Int64`.
        guard self > .zero else { return 0 }
        guard self < .nanoseconds(Int64.max) else { return .max }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
