/// The state of a ``Future``.
public enum FutureState<T: Sendable>: Sendable {
    /// The promise was neither fulfilled nor rejected.
    case pending
    /// The promise was fulfilled with a value.
    case fulfilled(T)
    /// The promise was rejected with an error.
    case rejected(any Error)

    /// Whether the promise was neither fulfilled nor rejected.
    public var isPending: Bool { if case .pending = self { true } else { false } }
    /// Whether the promise was fulfilled.
    public var isFulfilled: Bool { if case .fulfilled = self { true } else { false } }
    /// Whether the promise was rejected.
    public var isRejected: Bool { if case .rejected = self { true } else { false } }
}
