import PiuPiuAsync

/// An operation that did not end in time.
struct TimeLimitExceeded: Error, CustomStringConvertible {
    var description: String { "the time limit was exceeded" }
}

/// Runs an operation, and cancels it if it takes too long.
///
/// An operation that does not end although it was canceled ends the process with exit status 3, because nothing else can
/// end it.
func withTimeLimit<Result: Sendable>(
    _ limit: Duration,
    _ title: String,
    _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let task = Task { try await operation() }
    let timer = Task {
        try await Task.sleep(for: limit)
        task.cancel()
        try await Task.sleep(for: .seconds(10))
        printLine("error \(title): it did not end when it was canceled")
        exit(3)
    }
    defer { timer.cancel() }
    do {
        return try await task.value
    } catch {
        throw task.isCancelled ? TimeLimitExceeded() : error
    }
}
