/// Ends the task that does the work of a chain of futures; shared by all that run in it.
///
/// Ending one of them ends all: that is what cancelling a part of a chain means.
///
/// It keeps the futures that run in the task itself, because nested cancellation handlers of a task take time that grows
/// with the square of their number.
struct FutureCanceller: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Cancels the task while it has no handle, because it began on the thread of who made it.
        var cancelHere: (@Sendable () -> Void)?
        /// Whether somebody is about to call that.
        var isCancelling = false
        var parent: FutureCanceller?
        /// Chains that run, each waiting for the next.
        var chains = Few<[FutureLink]>.none
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

    /// Notes what cancels the task that runs now, until ``letGo()``.
    func hold(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.cancelHere = cancel
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }

    /// Forgets what cancels the task, once nobody uses it.
    func letGo() {
        while state.withLock({ state in
            if !state.isCancelling { state.cancelHere = nil }
            return state.isCancelling
        }) { sched_yield() }
    }

    /// Notes futures that begin to run in the task, until ``leave()``.
    ///
    /// - Parameter chain: The futures, each waiting for the next.
    /// - Returns: Whether they may, because nothing was cancelled.
    func enter(_ chain: [FutureLink]) -> Bool {
        state.withLock { state in
            state.chains.append(chain)
            return !state.isCancelled
        }
    }

    /// Forgets the futures that began last.
    func leave() {
        let chain = state.withLock { $0.chains.popLast() }
        withExtendedLifetime(chain) {}
    }

    /// Lets the part end without the whole.
    func detach() {
        let parent = state.withLock { state in
            defer { state.parent = nil }
            return state.parent
        }
        withExtendedLifetime(parent) {}
    }

    /// Ends the task, and cancels all futures that run in it, those that others wait for first.
    func cancel() {
        let ended: State? = state.withLock { state in
            guard !state.isCancelled else { return nil }
            state.isCancelled = true
            state.isCancelling = state.cancelHere != nil
            return state
        }
        guard let ended else { return }
        ended.task?.cancel()
        if let cancelHere = ended.cancelHere {
            cancelHere()
            state.withLock { $0.isCancelling = false }
        }
        ended.chains.reversed.forEach { chain in
            for link in chain.reversed() { link.future.core.cancel() }
        }
        ended.parent?.cancel()
    }
}

/// A future that runs in a task.
struct FutureLink: Sendable {
    let future: any AnyFuture
    /// What makes its end of that of the next link; `nil` for the last one.
    let transform: FutureCore.Transform?
}
