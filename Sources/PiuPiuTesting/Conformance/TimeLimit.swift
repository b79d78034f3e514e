import PiuPiuAsync

/// The error if an operation exceeds its time limit.
struct TimeLimitExceeded: Error {}

/// Runs an operation with a time limit.
///
/// At the limit, it cancels the operation but does not await it, because the operation may never end. It throws
/// `TimeLimitExceeded`, the errors of the operation, or `CancellationError`.
func withTimeLimit(_ limit: Duration, _ operation: @escaping @Sendable () async throws -> Void) async throws {
    let race = Race()
    let work = Task {
        do {
            try await operation()
            race.end(.success(()))
        } catch {
            race.end(.failure(error))
        }
    }
    let watchdog = Task {
        try await Task.sleep(for: limit)
        race.end(.failure(TimeLimitExceeded()))
    }
    defer {
        work.cancel()
        watchdog.cancel()
    }
    defer { race.showOrder() }
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { race.begin($0) }
    } onCancel: {
        race.end(.failure(CancellationError()))
    }
}

/// A continuation that is resumed with the first of several results.
private final class Race: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct State {
        var continuation: Continuation?
        var result: Result<Void, any Error>?
    }

    private let state = Locked(State())

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    /// Shows the thread sanitizer that the result was created before the caller continues.
    func showOrder() { state.showOrder() }

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> Continuation? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}
