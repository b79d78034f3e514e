extension ResponseFuture {
    /// Starts the future, unless it was already started, and waits for its value.
    ///
    /// It can be called any number of times and always returns the same value. The handlers of the future still run.
    ///
    /// If it is called outside an actor, the work begins on the calling thread, up to its first suspension, which
    /// avoids waking another thread.
    ///
    /// Cancelling the calling task cancels the future, and the call throws after that first part of the work has
    /// ended.
    ///
    /// - Returns: The value.
    /// - Throws: The error the future ended with; `CancellationError` if it was cancelled.
    @inlinable
    public func fetchResult() async throws -> Success {
        FutureBox.value(in: try await core.outcome(self, startsFuture: true).get())
    }
}
