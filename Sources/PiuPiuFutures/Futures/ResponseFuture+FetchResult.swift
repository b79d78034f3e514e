extension ResponseFuture {
    /// Starts the future, unless it was started before, and waits for its value.
    ///
    /// It can be called any number of times, and returns the same each time. Handlers that were set still run.
    ///
    /// Called outside an actor, the work begins on the calling thread, up to its first suspension, which saves waking
    /// another one.
    ///
    /// Cancelling the calling task cancels the future, and the call throws, at the earliest when that first part of the
    /// work has ended.
    ///
    /// - Returns: The value.
    /// - Throws: The error the future ended with; `CancellationError` if it was cancelled.
    @inlinable
    public func fetchResult() async throws -> Success {
        FutureBox.value(in: try await core.outcome(starting: self).get())
    }
}
