/// The time limit of one attempt, and whether it was reached.
///
/// A policy inside a ``RetryPolicy`` sees only that the attempt is cancelled. This tells it why.
package final class AttemptLimit: Sendable {
    private struct State {
        var isReached = false
    }

    /// How long the attempt may take.
    let duration: Duration
    private let state = Locked(State())

    package init(_ duration: Duration) {
        self.duration = duration
    }

    /// Records that the attempt took too long, before it is cancelled.
    package func reach() {
        state.withLock { $0.isReached = true }
    }

    /// Whether the attempt took too long.
    var isReached: Bool { state.withLock { $0.isReached } }
}

extension TransportRequest {
    /// The error for an attempt that took too long.
    package func attemptTimeout(_ limit: AttemptLimit?) -> TransportError {
        var error = error(.timeout(.attempt))
        error.limit = TransportError.Limit("RetryPolicy.attemptTimeout", duration: limit?.duration)
        return error
    }

    /// Returns what an error of this request says about the server.
    ///
    /// - Parameter error: The error.
    /// - Returns: ``TransportError`` with the code `timeout(.attempt)` if the request was cancelled because its attempt took
    ///   too long; otherwise the error.
    package func cause(of error: any Error) -> any Error {
        guard error is CancellationError, attemptLimit?.isReached ?? false else { return error }
        return attemptTimeout(attemptLimit)
    }
}
