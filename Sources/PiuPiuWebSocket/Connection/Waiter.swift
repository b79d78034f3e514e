/// The continuation of a task that waits for each message; checked in debug builds only, because checks allocate.
///
/// It is resumed exactly once: whoever resumes it takes it first out of the only place that holds it, under the lock. Tests use debug
/// builds, so all of them check this.
#if DEBUG
typealias Waiter<Value> = CheckedContinuation<Value, any Error>

func withWaiter<Value>(
    isolation: isolated (any Actor)?,
    _ body: (Waiter<Value>) -> Void
) async throws -> sending Value {
    try await withCheckedThrowingContinuation(isolation: isolation, body)
}
#else
typealias Waiter<Value> = UnsafeContinuation<Value, any Error>

func withWaiter<Value>(
    isolation: isolated (any Actor)?,
    _ body: (Waiter<Value>) -> Void
) async throws -> sending Value {
    try await withUnsafeThrowingContinuation(isolation: isolation, body)
}
#endif
