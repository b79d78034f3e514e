/// A chain of futures that one task runs, and the way to cancel them together.
///
/// The first link of the chain is the future that was started, and each link is made of the next one. The last link is the
/// root: an action, an operation, a join, or a future that was started before. Every link but the root has a step, which
/// makes its value of the outcome of the next link. The task does the root's work and then one step after the other, in a
/// loop, so that the length of a chain needs no stack.
///
/// | State | `cancel` |
/// |---|---|
/// | created: it is the run of its futures, but has no links yet | ends the run; ``start(_:_:)`` cancels the links |
/// | running: it has links, and a task or a parent | cancels the task, the links from the root on, and the parent |
/// | ended: all its futures have ended | cancels nothing that matters any more |
///
/// A future owns its run from its start to its end; the run owns its links. A chain inside of a step, or beside others in a
/// join, is a run of its own in the task of its parent. Cancelling one future cancels everything that its task does, because
/// a step that waits cannot go on without it.
struct FutureRun: Sendable {
    struct Link: Sendable {
        let future: any AnyFuture
        /// What makes the future's value of the next link; `nil` for the root.
        let step: FutureCore.Step?
    }

    private struct State {
        var links: [Link] = []
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

    /// Starts a future in a task of its own.
    ///
    /// A root that is synchronous runs inside of this call: nothing waits for it, and no task is needed for it alone.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - work: Its work.
    func start(_ future: any AnyFuture, _ work: FutureCore.Work) {
        let (links, work) = begin(future, work)
        guard work != nil || links.count > 1 else { return }
        let task = Task { _ = await perform(links, work) }
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
    /// - Returns: How the future ended.
    func run(_ future: any AnyFuture, _ work: FutureCore.Work) async -> FutureCore.Outcome {
        await withTaskCancellationHandler {
            let (links, work) = begin(future, work)
            return await perform(links, work)
        } onCancel: {
            cancel()
        }
    }

    /// Lets this run end without its parent.
    func detach() {
        let parent = state.withLock { state in
            defer { state.parent = nil }
            return state.parent
        }
        withExtendedLifetime(parent) {}
    }

    /// Cancels the task and all futures that run in it, those that others wait for first.
    func cancel() {
        var next: FutureRun? = self
        while let run = next {
            let ended: State? = run.state.withLock { state in
                defer { state.isCancelled = true }
                return state.isCancelled ? nil : state
            }
            guard let ended else { return }
            // Calls the handlers of the runs that are parts of this one.
            ended.task?.cancel()
            for link in ended.links.reversed() { link.future.core.cancel() }
            next = ended.parent
        }
    }

    // MARK: Working

    /// Starts every future that a future is made of, and runs the root's work if that is synchronous.
    ///
    /// - Returns: The links, and the root's work if it is left to do.
    private func begin(_ future: any AnyFuture, _ work: FutureCore.Work) -> (links: [Link], work: FutureCore.Work?) {
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
        // An action alone is not a link: its future would own itself until it ends, which may never be.
        let isLink = links.count > 1 || work?.isSynchronous != true
        let isCancelled = state.withLock { state in
            if isLink { state.links = links }
            return state.isCancelled
        }
        if isCancelled {
            for link in links.reversed() { link.future.core.cancel() }
            return (links, nil)
        }
        switch work {
        case .value(let value): future.core.finish(.success(value))
        case .action(let action):
            do {
                try action(future)
            } catch {
                future.core.finish(.failure(error))
            }
        case .operation, .join, .step, nil: return (links, work)
        }
        return (links, nil)
    }

    /// Does the root's work and then all steps.
    ///
    /// - Returns: How the first link ended.
    private func perform(_ links: [Link], _ work: FutureCore.Work?) async -> FutureCore.Outcome {
        var index = links.count - 1
        let root = links[index].future
        var outcome: FutureCore.Outcome
        do {
            switch work {
            case .operation(let operation):
                outcome = end(root, .success(try await operation(FutureContext(run: self, future: root))))
            case .join(let futures, let combine):
                outcome = end(root, .success(try combine(try await values(of: futures, root))))
            case .value, .action, .step, nil: outcome = await root.core.outcome()
            }
        } catch {
            outcome = end(root, .failure(error))
        }
        while index > 0 {
            index -= 1
            let link = links[index]
            do {
                switch link.step {
                case .transform(let transform): outcome = end(link.future, .success(try transform(outcome)))
                case .operation(let operation):
                    let context = FutureContext(run: self, future: link.future)
                    outcome = end(link.future, .success(try await operation(outcome, context)))
                case nil: break
                }
            } catch {
                outcome = end(link.future, .failure(error))
            }
        }
        return outcome
    }

    /// Ends a future of this run, unless it has ended.
    ///
    /// - Returns: The outcome that counts.
    private func end(_ future: any AnyFuture, _ outcome: FutureCore.Outcome) -> FutureCore.Outcome {
        // Work that was cancelled may end with any error.
        if case .failure = outcome, Task.isCancelled { return future.core.finish(.failure(CancellationError())) }
        return future.core.finish(outcome)
    }

    /// Runs futures at the same time; the first error cancels the rest.
    private func values(of futures: [any AnyFuture], _ receiver: any AnyFuture) async throws -> [FutureValue] {
        let join = FutureRun(partOf: self)
        // Not `async let`, which would look at the second error only after the first value.
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
                // The others end because of the error, and are not to cancel the whole before it is told.
                join.detach()
                throw error
            }
            return values.compactMap { $0 }
        }
    }
}

/// What the work of a future finds around it.
@usableFromInline
struct FutureContext: Sendable {
    /// The run that the work is a part of.
    let run: FutureRun
    /// The future the work belongs to, which gets the progress of requests.
    let future: any AnyFuture
}
