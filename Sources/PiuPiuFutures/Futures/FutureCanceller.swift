/// Ends the task that does the work of a chain of futures; shared by all that run in it.
///
/// Ending one of them ends all: that is what cancelling a part of a chain means.
final class FutureCanceller: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var parent: FutureCanceller?
        var isCancelled = false
    }

    private let state: Locked<State>

    /// Creates a canceller for work that has a task of its own, see ``attach(_:)``.
    init() {
        state = Locked(State())
    }

    /// Creates a canceller for a part of other work, which ends as a whole until the part is detached.
    ///
    /// - Parameter parent: What ends the other work.
    init(partOf parent: FutureCanceller?) {
        state = Locked(State(parent: parent))
    }

    /// Notes the task, once it exists.
    func attach(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Lets the part end without the whole.
    func detach() {
        let parent = state.withLock { state in
            defer { state.parent = nil }
            return state.parent
        }
        withExtendedLifetime(parent) {}
    }

    /// Ends the task.
    func cancel() {
        let (task, parent) = state.withLock { state in
            state.isCancelled = true
            return (state.task, state.parent)
        }
        task?.cancel()
        parent?.cancel()
    }
}
