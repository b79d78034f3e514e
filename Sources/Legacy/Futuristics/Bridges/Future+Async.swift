import PiuPiuFutures

extension Future {
    /// Creates a future of an asynchronous function, and starts it.
    ///
    /// Nothing cancels the function: a future only provides the value, and releasing it changes nothing.
    ///
    /// - Parameter operation: Called once, in a new task. If it throws, the future is rejected with the error.
    @preconcurrency public convenience init(_ operation: @escaping @Sendable () async throws -> T) {
        self.init()
        Task {
            do { end(.success(try await operation())) } catch { end(.failure(error)) }
        }
    }

    /// The value, once the promise is fulfilled.
    ///
    /// It can be read any number of times. Cancelling the waiting task ends the wait at once with a `CancellationError`, and
    /// does not affect the promise and its handlers.
    ///
    /// - Throws: The error the promise was rejected with; `CancellationError` if the calling task is cancelled before the
    ///   promise ends; ``FutureError/unresolved`` if the promise is released while it is pending.
    public var value: T {
        get async throws {
            let id = UUID()
            defer { machine.showOrder() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait(id) { continuation.resume(with: $0) }
                }
            } onCancel: {
                machine.withLock { $0.removeWaiter(id) }?(.failure(CancellationError()))
            }
        }
    }
}
