import PiuPiuFutures
import Testing

/// What became of a future, as its handlers were told.
@MainActor
final class Ending {
    private(set) var events: [String] = []
    private(set) var error: (any Error)?
    /// What the updates showed; copies, because a task shows its newest state.
    private(set) var updates: [TransferTask] = []
    private var isComplete = false
    private var waiter: CheckedContinuation<Void, Never>?

    init() {}

    /// Sets all handlers of a future and starts it.
    convenience init<Success>(of future: ResponseFuture<Success>) {
        self.init()
        start(future)
    }

    /// Sets all handlers of a future and starts it.
    func start<Success>(_ future: ResponseFuture<Success>) {
        future
            .updated { self.updates.append(TransferTask(id: $0.id, progress: $0.progress, state: $0.state)) }
            .success { _ in self.events.append("success") }
            .error { error in
                self.events.append("error")
                self.error = error
            }
            .cancellation { self.events.append("cancellation") }
            .completion {
                self.events.append("completion")
                self.complete()
            }
            .send()
    }

    /// Notes that everything has been told.
    func complete() {
        isComplete = true
        waiter?.resume()
        waiter = nil
    }

    /// Waits for the completion.
    ///
    /// - Returns: What was told, in order.
    @discardableResult
    func wait() async -> [String] {
        if !isComplete { await withCheckedContinuation { waiter = $0 } }
        return events
    }

    /// Starts a future and waits for its completion.
    static func events<Success>(of future: ResponseFuture<Success>) async -> [String] {
        await Ending(of: future).wait()
    }

    /// Starts a future that has to fail, and returns its error.
    static func error<Success>(
        of future: ResponseFuture<Success>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> (any Error)? {
        let ending = Ending(of: future)
        #expect(await ending.wait() == ["error", "completion"], sourceLocation: sourceLocation)
        return ending.error
    }
}
