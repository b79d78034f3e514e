/// Ends the task that does the work of a chain of futures; shared by all that run in it.
///
/// Ending one of them ends all: that is what cancelling a part of a chain means.
final class FutureCanceller: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Locked(State())

    /// Notes the task, once it exists.
    func attach(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Ends the task.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
