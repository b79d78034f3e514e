/// A chain of futures that runs in one task, and the means to cancel them together.
///
/// The first link of the chain is the future that was started, and each link derives from the next one. The last link
/// is the root: an action, an operation, a join, or a future that was already started. Every link except the root has a
/// step, which makes its value from the outcome of the next link. The task does the root's work and then the steps one
/// after the other, in a loop, so that a long chain does not need a deep stack.
///
/// | State | `cancel` |
/// |---|---|
/// | created: the futures refer to it, and it has no links yet | marks the run; `begin` then cancels the links |
/// | running: it has links, and a task or a parent | cancels the task, the links from the root, then the parent |
/// | cancelled | does nothing |
/// | ended: all its futures have ended | cancels futures that have ended, which does nothing |
///
/// A future owns its run from its start to its end. The run owns its links, and the task owns the run. A chain inside a
/// step, or next to others in a join, is a separate run in the task of its parent. Cancelling one future cancels
/// everything that its task does, because the work that waits for the future cannot continue without it.
struct FutureRun: Sendable {
    struct Link: Sendable {
        let future: any AnyFuture
        /// The step that makes the future's value from the outcome of the next link; `nil` for the root.
        let step: FutureCore.Step?
    }

    private struct State {
        var links: [Link] = []
        /// The root's work, until it begins.
        var work: FutureCore.Work?
        var task: Task<Void, Never>?
        var parent: FutureRun?
        var isCancelled = false
    }

    private let state: Locked<State>

    /// Creates a run.
    ///
    /// - Parameter parent: The run whose task this one is a part of.
    init(partOf parent: FutureRun? = nil) {
        state = Locked(State(parent: parent))
    }

    /// Starts a future in a new task.
    ///
    /// A synchronous root runs inside this call: nothing waits for it, and it needs no task of its own.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - work: Its work.
    ///   - isHere: Whether the task may begin on this thread, because the caller only waits for it.
    func start(_ future: any AnyFuture, _ work: FutureCore.Work, isHere: Bool = false) {
        guard begin(future, work) else { return }
        if isHere, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            InlineStart.run({ executor in keep(Task(executorPreference: executor) { _ = await perform() }) })
        {
            return
        }
        keep(Task { _ = await perform() })
    }

    /// Keeps the task, to cancel it with the run.
    private func keep(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Runs a future in the task of the parent.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - work: Its work.
    /// - Returns: The outcome of the future.
    func run(_ future: any AnyFuture, _ work: FutureCore.Work) async -> FutureCore.Outcome {
        await withTaskCancellationHandler {
            begin(future, work) ? await perform() : await future.core.outcome()
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

    /// Cancels the task and all futures that run in it, beginning with those that others wait for.
    func cancel() {
        var next: FutureRun? = self
        while let run = next {
            let ended: (task: Task<Void, Never>?, links: [Link], parent: FutureRun?)? = run.state.withLock { state in
                defer { state.isCancelled = true }
                return state.isCancelled ? nil : (state.task, state.links, state.parent)
            }
            guard let ended else { return }
            // Calls the task cancellation handlers of the runs that are parts of this one, and of those that its work
            // waits for.
            ended.task?.cancel()
            for link in ended.links.reversed() { link.future.core.cancel() }
            next = ended.parent
        }
    }

    // MARK: Working

    /// Starts every future that a future derives from, and runs the root's work if it is synchronous.
    ///
    /// - Returns: Whether there is work left for ``perform()``.
    private func begin(_ future: any AnyFuture, _ work: FutureCore.Work) -> Bool {
        var future = future
        var work: FutureCore.Work? = work
        var links: [Link] = []
        links.reserveCapacity(4)
        while case .step(let parent, let step) = work {
            links.append(Link(future: future, step: step))
            work = parent.core.start(self, future)
            future = parent
        }
        links.append(Link(future: future, step: nil))
        let isSynchronous = work?.isSynchronous == true
        // A lone action is not a link: its future would own itself until it ends, which may never happen.
        let isPerformed = links.count > 1 || !isSynchronous
        let isCancelled = state.withLock { state in
            if isPerformed { state.links = links }
            if !isSynchronous { state.work = work }
            return state.isCancelled
        }
        if isCancelled {
            for link in links.reversed() { link.future.core.cancel() }
            return isPerformed
        }
        switch work {
        case .value(let value): future.core.finish(.success(value))
        case .action(let action):
            do {
                try action(future)
            } catch {
                future.core.finish(.failure(error))
            }
        case .operation, .join, .step, nil: break
        }
        return isPerformed
    }

    /// Does the root's work and then all steps.
    ///
    /// - Returns: The outcome of the first link.
    private func perform() async -> FutureCore.Outcome {
        var (links, unbegun, isCancelled) = state.withLock { state in
            defer { state.work = nil }
            return (state.links, state.work, state.isCancelled)
        }
        // Work that was cancelled before it began never begins.
        let work = isCancelled ? nil : unbegun
        var index = links.count - 1
        var future = links[index].future
        var outcome: FutureCore.Outcome
        do {
            switch work {
            case .operation(let operation):
                outcome = .success(try await operation(FutureContext(run: self, future: future)))
            case .join(let futures, let combine): outcome = .success(try combine(try await values(of: futures, future)))
            case .value, .action, .step, nil: outcome = await future.core.outcome()
            }
        } catch {
            outcome = failure(error)
        }
        while index > 0 {
            outcome = future.core.finish(outcome)
            index -= 1
            future = links[index].future
            do {
                switch links[index].step {
                case .transform(let transform): outcome = .success(try transform(outcome))
                case .operation(let operation):
                    // The operation may wait for a long time, and the futures that ended before it hold their values.
                    links.removeSubrange((index + 1)...)
                    dropLinks(after: index)
                    outcome = .success(try await operation(outcome, FutureContext(run: self, future: future)))
                case nil: break
                }
            } catch {
                outcome = failure(error)
            }
        }
        return future.core.finish(outcome)
    }

    private func dropLinks(after index: Int) {
        let ended = state.withLock { state in
            defer { state.links.removeSubrange((index + 1)...) }
            return state.links[(index + 1)...]
        }
        withExtendedLifetime(ended) {}
    }

    /// The outcome of work that threw: cancelled work may end with any error.
    private func failure(_ error: any Error) -> FutureCore.Outcome {
        .failure(Task.isCancelled ? CancellationError() : error)
    }

    /// Runs futures at the same time; the first error cancels the rest.
    private func values(of futures: [any AnyFuture], _ receiver: any AnyFuture) async throws -> [FutureValue] {
        let join = FutureRun(partOf: self)
        // `async let` would look at the second error only after the first value.
        return try await withThrowingTaskGroup(of: (Int, FutureValue).self) { group in
            for (index, future) in futures.enumerated() {
                group.addTask {
                    (index, try await future.core.value(future, FutureContext(run: join, future: receiver)))
                }
            }
            var values = [FutureValue?](repeating: nil, count: futures.count)
            do {
                for try await (index, value) in group { values[index] = value }
            } catch {
                // The other futures end because of the error, and must not cancel the parent run before it is reported.
                join.detach()
                throw error
            }
            return values.compactMap { $0 }
        }
    }
}

/// The context in which the work of a future runs.
@usableFromInline
struct FutureContext: Sendable {
    /// The run that the work is a part of.
    let run: FutureRun
    /// The future the work belongs to, which receives the progress of requests.
    let future: any AnyFuture
}
