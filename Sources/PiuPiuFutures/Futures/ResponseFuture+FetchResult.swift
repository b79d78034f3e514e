extension ResponseFuture {
    /// Starts the future, where it was not, and waits for its value.
    ///
    /// May be called any number of times, and gives the same each time. Handlers that were set still run. Cancelling the
    /// calling task cancels the future.
    ///
    /// - Returns: The value.
    /// - Throws: The error the future ended with; `CancellationError` where it was cancelled.
    @inlinable
    public func fetchResult() async throws -> Success {
        FutureBox.value(in: try await core.outcome(starting: self).get())
    }
}
