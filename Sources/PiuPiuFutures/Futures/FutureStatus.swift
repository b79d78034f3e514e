/// The stage of a future's lifecycle.
public enum FutureStatus: Sendable, Hashable {
    /// The future was not started.
    case created
    /// The work is in progress, or the handler that receives the outcome has not returned yet.
    case started
    /// The future ended with a value.
    case success
    /// The future ended with an error.
    case error
    /// The future was cancelled.
    case cancelled
}
