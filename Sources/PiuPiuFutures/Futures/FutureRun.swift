/// A chain of futures that runs in one task and is cancelled as a whole.
///
/// The first link of the chain is the future that was started, and each link derives from the next one. The last link
/// is the root: an action, an operation, a join, or a future that was already started. Every link except the root has a
/// step, which makes its value from the outcome of the next link. The task does the root's work and then the steps one
/// after the other, in a loop, so that a long chain does not need a deep stack.
///
/// If a step continues with another future, the chain of that future is added to the links, and the loop continues at its root.
/// A recursion of such steps, however deep, needs neither a deep stack nor nested waiting.
///
/// | State | `cancel` |
/// |---|---|
/// | created: the futures refer to it, and it has no links yet | marks the run; `begin` then cancels the links |
/// | running: it has links, and a task or a parent | cancels the task, the futures of a join, the links, the parent |
/// | cancelled | does nothing |
/// | ended: all its futures have ended | cancels futures that have ended, which does nothing |
///
/// A chain that is started on the main thread begins there, inside the call that starts it: this call runs its root's
/// callback, and those of the futures that a join combines. All other callbacks run on the main actor, except those of
/// `then` and `map`. A run that is a part of another one follows the same rule, wherever it begins.
///
/// A future owns its run from its start to its end. The run owns its links, and the task owns the run. A chain inside a
/// step, or one of several in a join, is a separate run in the task of its parent. Cancelling one future cancels all work
/// of its task, because the work that waits for the future cannot continue without it.
struct FutureRun: Sendable {
    struct Link: Sendable {
        let future: any AnyFuture
        /// The step that makes the future's value from the outcome of the next link; `nil` for the root.
        let step: FutureCore.Step?
    }

    /// A future in a join that has begun.
    struct Child {
        let future: any AnyFuture
        /// The run that does its work; `nil` if it was already started.
        let run: FutureRun?
    }

    struct State {
        var links: [Link] = []
        /// The root's work, until it begins.
        var work: FutureCore.Work?
        /// The futures that the root combines, with the join's run, if they begin before the root's task; reset when they
        /// have ended.
        var children: (join: FutureRun, futures: [Child])?
        var task: Task<Void, Never>?
        var parent: FutureRun?
        var isCancelled = false
        let isFromMainThread: Bool
    }

    let state: Locked<State>

    /// Whether the chain was started on the main thread.
    var isFromMainThread: Bool { state.withLock { $0.isFromMainThread } }

    /// The actor for callbacks that belong to no actor; `nil` if they run on the thread that does the work.
    var callbackActor: (any Actor)? { isFromMainThread ? MainActor.shared : nil }

    /// Creates a run, as a part of the parent's task or, without a parent, for a chain that the current thread starts.
    init(partOf parent: FutureRun? = nil) {
        let isFromMainThread = if let parent { parent.isFromMainThread } else { MainThread.isCurrent }
        state = Locked(State(parent: parent, isFromMainThread: isFromMainThread))
    }

    /// Starts a future in a new task.
    ///
    /// A synchronous root runs inside this call: nothing waits for it, and it needs no separate task. On the main
    /// thread, the callbacks of other roots run inside this call too.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - work: Its work.
    ///   - isHere: Whether the task may begin on this thread, because the caller only waits for it.
    func launch(_ future: any AnyFuture, _ work: FutureCore.Work, isHere: Bool = false) {
        guard begin(future, work) else { return }
        if isHere, !isFromMainThread, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            InlineStart.run({ executor in
                keep(Task(executorPreference: executor) { _ = await perform(isAwaited: false) })
            })
        {
            return
        }
        keep(Task { _ = await perform(isAwaited: false) })
    }

    /// Stores the task, to cancel it with the run.
    private func keep(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Runs a future in the task of the parent, and returns its outcome; the work is `nil` if it has already begun.
    func run(_ future: any AnyFuture, _ work: FutureCore.Work?) async -> FutureCore.Outcome {
        await withTaskCancellationHandler {
            let isPerformed = if let work { begin(future, work) } else { state.withLock { !$0.links.isEmpty } }
            return isPerformed ? await perform(isAwaited: true) : await future.core.outcome(future)
        } onCancel: {
            cancel()
        }
    }

    /// Detaches the run from its parent, so that it can end without its parent.
    func detach() {
        let parent = state.withLock { state in
            defer { state.parent = nil }
            return state.parent
        }
        withExtendedLifetime(parent) {}
    }

    /// Cancels the task and all futures that run in it, beginning with those that other futures wait for.
    ///
    /// Cancelling the task calls the cancellation handlers of the runs that are parts of this one, and of those that its
    /// work waits for, which call this function. It therefore uses little stack space until they have returned.
    func cancel() {
        var next: FutureRun? = self
        while let run = next {
            guard let task = run.markCancelled() else { return }
            task?.cancel()
            next = run.cancelFutures()
        }
    }

    /// Marks the run as cancelled, and returns its task; `nil` if the run was already cancelled.
    @inline(never) private func markCancelled() -> Task<Void, Never>?? {
        state.withLock { state in
            defer { state.isCancelled = true }
            return state.isCancelled ? nil : .some(state.task)
        }
    }

    /// Cancels the futures of the run and those that its join began, and returns the parent of the run.
    ///
    /// A loop, because joins can be nested deeply.
    @inline(never) private func cancelFutures() -> FutureRun? {
        let (links, join, parent) = state.withLock { ($0.links, $0.children, $0.parent) }
        var futures = links.map { $0.future }
        var children = join?.futures ?? []
        while let child = children.popLast() {
            guard let run = child.run, run.markCancelled() != nil else { continue }
            let (links, join) = run.state.withLock { ($0.links, $0.children) }
            // A lone action is not a link.
            futures.append(child.future)
            futures += links.dropFirst().map { $0.future }
            children += join?.futures ?? []
        }
        for future in futures.reversed() { future.core.cancel(future) }
        return parent
    }

    // MARK: Working

    /// Starts a future and its parents, begins the roots' work as far as this thread can, and returns whether work is left.
    private func begin(_ future: any AnyFuture, _ work: FutureCore.Work) -> Bool {
        var children: [(future: any AnyFuture, run: FutureRun, work: FutureCore.Work)] = []
        let isPerformed = begin(future, work, &children)
        // A loop, because joins can be nested deeply.
        while let child = children.popLast() {
            if state.withLock({ $0.isCancelled }) {
                child.future.core.cancel(child.future)
            } else {
                _ = child.run.begin(child.future, child.work, &children)
            }
        }
        return isPerformed
    }

    private func begin(
        _ future: any AnyFuture,
        _ work: FutureCore.Work,
        _ children: inout [(future: any AnyFuture, run: FutureRun, work: FutureCore.Work)]
    ) -> Bool {
        var future = future
        var work: FutureCore.Work? = work
        var links: [Link] = []
        links.reserveCapacity(4)
        while case .step(let parent, let step) = work {
            links.append(Link(future: future, step: step))
            work = parent.core.claimWork(for: self, future)
            future = parent
        }
        links.append(Link(future: future, step: nil))
        let isSynchronous = work?.isSynchronous(in: self) == true
        // A lone action is not a link: its future would own itself until its end, which may never come.
        let isPerformed = links.count > 1 || !isSynchronous
        let isCancelled = state.withLock { state in
            // If a step continues with this chain, its links follow those of the futures that wait for it.
            if isPerformed { state.links += links }
            if !isSynchronous { state.work = work }
            return state.isCancelled
        }
        if isCancelled {
            for link in links.reversed() { link.future.core.cancel(link.future) }
            return isPerformed
        }
        switch work {
        case .value(let value): future.core.finish(.success(value), future)
        case .action(let action):
            if case .failure(let error) = action.callHere(future, self) {
                future.core.finish(.failure(error), future)
            }
        case .makeOperation(let callback) where isFromMainThread:
            switch callback.callHere(FutureContext(run: self, future: future), self) {
            case .success(let operation): replaceWork(.operation(operation))
            case .failure(let error):
                replaceWork(nil)
                future.core.finish(.failure(error), future)
            case nil: break
            }
        case .join(let futures, _) where isFromMainThread && MainThread.isCurrent:
            let join = FutureRun(partOf: self)
            var begun: [Child] = []
            var unbegun: [(future: any AnyFuture, run: FutureRun, work: FutureCore.Work)] = []
            for child in futures {
                let run = FutureRun(partOf: join)
                let work = child.core.claimWork(for: run, future)
                if let work { unbegun.append((child, run, work)) }
                begun.append(Child(future: child, run: work == nil ? nil : run))
            }
            state.withLock { $0.children = (join, begun) }
            // Reversed, so that the first of them begins next.
            children += unbegun.reversed()
        case .makeOperation, .operation, .join, .step, nil: break
        }
        return isPerformed
    }

    /// Does the root's work and then all steps.
    ///
    /// Other functions do the work that occurs in few chains, because the memory of a task grows with the largest of its
    /// functions.
    ///
    /// - Parameter isAwaited: Whether the outcome is needed. If not, the task of a lone action ends with the call of the
    ///   action, whose future may never end.
    /// - Returns: The outcome of the first link.
    private func perform(isAwaited: Bool) async -> FutureCore.Outcome {
        var (links, work) = takeWork()
        var index = links.count - 1
        var future = links[index].future
        var outcome: FutureCore.Outcome
        do {
            switch work {
            case .operation(let operation):
                outcome = .success(try await operation(FutureContext(run: self, future: future)))
            case .makeOperation, .join, .action:
                guard let value = try await value(of: work.take(), future, isAwaited: isAwaited || index > 0)
                else { return .failure(CancellationError()) }
                outcome = .success(value)
            case .value, .step, nil: outcome = await future.core.outcome(future)
            }
        } catch {
            outcome = failure(error)
        }
        while index > 0 {
            outcome = future.core.finish(outcome, future)
            index -= 1
            future = links[index].future
            do {
                switch links[index].step {
                case .transform(let transform): outcome = .success(try transform(outcome))
                case .callback(let callback):
                    if !callback.isCallableHere(self) { links.removeSubrange((index + 1)...) }
                    outcome = .success(try await value(of: callback, outcome, index))
                case .operation(let operation):
                    // The operation may wait for a long time, and the futures that have already ended hold their values.
                    links.removeSubrange((index + 1)...)
                    dropLinks(after: index)
                    outcome = .success(try await operation(outcome, FutureContext(run: self, future: future)))
                case .next(let next):
                    links.removeSubrange((index + 1)...)
                    dropLinks(after: index)
                    let next = try await next(outcome, FutureContext(run: self, future: future))
                    // The next iteration passes the outcome on.
                    links[index] = Link(future: future, step: nil)
                    outcome = await proceed(with: next, &links)
                    index = links.count - 1
                    future = links[index].future
                case nil: break
                }
            } catch {
                outcome = failure(error)
            }
        }
        return future.core.finish(outcome, future)
    }

    /// Adds the chain of another future to the links, whose last one ends with its outcome, and does the work of its root.
    @inline(never) private func proceed(with next: any AnyFuture, _ links: inout [Link]) async -> FutureCore.Outcome {
        guard let work = next.core.claimWork(for: self, links[links.count - 1].future), begin(next, work) else {
            return await next.core.outcome(next)
        }
        let (added, root) = takeWork(after: links.count)
        links += added
        let future = links[links.count - 1].future
        do {
            switch root {
            case .operation(let operation):
                return .success(try await operation(FutureContext(run: self, future: future)))
            case .makeOperation, .join, .action:
                guard let value = try await value(of: root, future, isAwaited: true) else { throw CancellationError() }
                return .success(value)
            case .value, .step, nil: return await future.core.outcome(future)
            }
        } catch {
            return failure(error)
        }
    }

    /// Takes the root's work, `nil` if it does not begin, and the links after a number of earlier ones.
    private func takeWork(after count: Int = 0) -> (links: [Link], work: FutureCore.Work?) {
        state.withLock { state in
            defer { state.work = nil }
            let links = count == 0 ? state.links : Array(state.links.dropFirst(count))
            // Work that was cancelled before it began stays unstarted.
            return (links, state.isCancelled && state.children == nil ? nil : state.work)
        }
    }

    /// Calls the callback of a step.
    @inline(never) private func value(
        of callback: Callback<FutureCore.Outcome, FutureValue>,
        _ outcome: FutureCore.Outcome,
        _ index: Int
    ) async throws -> FutureValue {
        // Cancelled work does not wait for an actor.
        let input = try outcome.uncancelled()
        if let result = callback.callHere(input, self) { return try result.get() }
        dropLinks(after: index)
        return try await callback.call(input, self)
    }

    private func replaceWork(_ work: FutureCore.Work?) {
        let replaced = state.withLock { state in
            defer { state.work = work }
            return state.work
        }
        withExtendedLifetime(replaced) {}
    }

    func dropLinks(after index: Int) {
        var ended: [Link] = []
        state.withLock { state in
            // Removed one by one, because a slice would share the array and cause a copy.
            while state.links.count > index + 1 { ended.append(state.links.removeLast()) }
        }
        withExtendedLifetime(ended) {}
    }

    /// The outcome of work that threw; cancelled work may throw any error.
    private func failure(_ error: any Error) -> FutureCore.Outcome {
        .failure(Task.isCancelled ? CancellationError() : error)
    }
}
