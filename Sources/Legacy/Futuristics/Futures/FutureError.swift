/// An error that a future reports about itself.
public enum FutureError: Error, Sendable, Hashable {
    /// ``Future/result()`` was called before the promise was fulfilled or rejected.
    case stillPending
    /// A call would block the main thread until a promise ends.
    case blocksMainThread
    /// The promise can no longer be fulfilled: it was released, or ``Promise/ensureResolution()`` found it pending.
    case unresolved
}
