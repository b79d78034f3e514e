// Work that occurs in few chains.
extension FutureRun {
    /// Does the work of a root that few chains have, and returns the value; `nil` for an action that is not awaited.
    @inline(never) func value(
        of work: FutureCore.Work?,
        _ future: any AnyFuture,
        isAwaited: Bool
    ) async throws -> FutureValue? {
        switch work {
        case .makeOperation(let callback):
            let context = FutureContext(run: self, future: future)
            return try await callback.call(context, self)(context)
        case .join(let futures, let combine):
            defer { dropChildren() }
            return try combine(try await values(of: futures, state.withLock { $0.children }, future))
        case .action(let action):
            try await action.call(future, self)
            guard isAwaited else {
                dropLinks(after: -1)
                return nil
            }
            return try await future.core.outcome(future).get()
        case .value, .operation, .step, nil: return nil
        }
    }

    private func dropChildren() {
        let ended = state.withLock { state in
            defer { state.children = nil }
            return state.children
        }
        withExtendedLifetime(ended) {}
    }

    /// Runs futures at the same time; the first error cancels the rest.
    private func values(
        of futures: [any AnyFuture],
        _ begun: (join: FutureRun, futures: [Child])?,
        _ receiver: any AnyFuture
    ) async throws -> [FutureValue] {
        let join = begun?.join ?? FutureRun(partOf: self)
        // `async let` would see the second error only after the first value.
        return try await withThrowingTaskGroup(of: (Int, FutureValue).self) { group in
            for (index, future) in futures.enumerated() {
                let child = begun?.futures[index]
                group.addTask {
                    guard let child else {
                        return (index, try await future.core.value(future, FutureContext(run: join, future: receiver)))
                    }
                    guard let run = child.run else { return (index, try await future.core.outcome(future).get()) }
                    return (index, try await run.run(future, nil).get())
                }
            }
            var values = [FutureValue?](repeating: nil, count: futures.count)
            do {
                for try await (index, value) in group { values[index] = value }
            } catch {
                // The error also ends the other futures, which must not cancel the parent run before the error is reported.
                join.detach()
                throw error
            }
            return values.compactMap { $0 }
        }
    }
}
