extension ResponseFuture {
    /// Waits for the value, and does the work for it right here where nobody began it.
    ///
    /// - Parameter context: What runs around it.
    /// - Returns: The value.
    /// - Throws: The error the future ended with.
    func value(_ context: FutureContext) async throws -> Success {
        FutureBox.value(in: try await core.value(self, context))
    }

    /// Waits for the value or the error; throws where the future is cancelled.
    func result(_ context: FutureContext) async throws -> Result<Success, any Error> {
        do {
            return .success(try await value(context))
        } catch {
            return try Result.failure(error).uncancelled()
        }
    }
}
