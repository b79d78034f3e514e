import PiuPiuAsync

/// An operation took longer than it may.
struct TimeLimitExceeded: Error {}

/// Runs an operation that has only so much time.
///
/// Where the time is up, the operation is cancelled, but not waited for: it may be what never ends.
///
/// - Parameters:
///   - limit: How long it may take.
///   - operation: The operation.
/// - Throws: `TimeLimitExceeded`, what the operation throws, `CancellationError`.
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
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { race.begin($0) }
    } onCancel: {
        race.end(.failure(CancellationError()))
    }
}

/// The first result counts.
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

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> Continuation? in
            guard state.result == nil else { return nil }
            state.result = result
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}
