import PiuPiuAsync

/// Something that happens once, and for which one task waits.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// It has happened.
    func send() {
        continuation.finish()
    }

    /// Waits until it has happened, or until the task is cancelled.
    func wait() async {
        for await _ in stream {}
    }
}
