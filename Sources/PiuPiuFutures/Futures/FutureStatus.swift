/// The place of a future in its life.
public enum FutureStatus: Sendable, Hashable {
    /// Nothing was done yet.
    case created
    /// The work is being done.
    case started
    /// It ended with a value.
    case success
    /// It ended with an error.
    case error
    /// It was cancelled.
    case cancelled
}
