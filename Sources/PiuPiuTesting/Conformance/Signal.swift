import PiuPiuAsync

/// An event that happens once and that one task waits for.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Signals that the event has happened.
    func send() {
        continuation.finish()
    }

    /// Waits until the event has happened, or until the task is cancelled.
    func wait() async {
        for await _ in stream {}
    }
}
