/// An event that happens once and that one task waits for.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Says that the event has happened.
    func send() {
        continuation.finish()
    }

    /// Waits until the event has happened.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func wait() async throws {
        for await _ in stream {}
        try Task.checkCancellation()
    }
}
