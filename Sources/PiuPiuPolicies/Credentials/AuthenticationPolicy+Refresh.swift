extension AuthenticationPolicy {
    /// Returns the credential for a request, after a refresh if one is needed; `nil` for a request of the policy's own refresh.
    ///
    /// With a usable credential, this takes one lock and does not suspend.
    func lease(
        _ demand: Machine.Demand,
        for request: TransportRequest,
        _ clock: @autoclosure () -> TransferClock
    ) async throws -> Lease? {
        let context = request.call.context
        // Without lifetimes, the machine does not need to know the time.
        let now = settings.lifetime == nil ? Self.epoch : clock().instant
        let step = state.withLock { [owner] state -> Step in
            if !context.work.isEmpty, let number = state.machine.refreshNumber, context.isPart(of: number, of: owner) {
                return .pass
            }
            if let credential = state.machine.unmeasured { return .measure(credential, state.machine.generation) }
            switch state.machine.lease(demand, at: now) {
            case .use(let lease, nil): return .use(lease)
            case .use(let lease, let refresh?): return .renew(lease, refresh)
            case .fail(let error): return .fail(error)
            case .wait: return .wait(state.machine.newWaiter())
            }
        }
        switch step {
        case .pass: return nil
        case .use(let lease): return lease
        case .renew(let lease, let refresh):
            start(refresh, clock())
            return lease
        case .fail(let error): throw error
        case .wait(let id): return try await wait(id, demand, clock())
        case .measure(let credential, let generation):
            let lifetime = settings.lifetime?(credential)
            let wasRemoved = state.withLock { state in
                state.machine.measure(lifetime, of: generation, at: now)
                return state.machine.wasRemoved(generation)
            }
            if wasRemoved { throw AuthenticationError(.credentialRemoved) }
            return try await lease(demand, for: request, clock())
        }
    }

    private enum Step {
        case pass
        case use(Lease)
        case renew(Lease, Machine.Refresh)
        case fail(any Error)
        case wait(Int)
        case measure(Credential, Int)
    }

    /// The time for a machine without lifetimes.
    private static var epoch: ContinuousClock.Instant { AuthenticationEpoch.instant }

    @inline(never)
    private func wait(
        _ id: Int,
        _ demand: Machine.Demand,
        _ clock: TransferClock
    ) async throws -> Lease {
        defer { state.showOrder() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let now = clock.instant
                let action = state.withLock { state -> Machine.WaitAction in
                    // Check under the lock: a task that is cancelled later finds its waiter.
                    if Task.isCancelled { return .resume(continuation, .failure(CancellationError()), nil) }
                    return state.machine.wait(continuation, id: id, for: demand, at: now)
                }
                switch action {
                case .wait(let refresh):
                    if let refresh { start(refresh, clock) }
                case .resume(let continuation, let result, let refresh):
                    if let refresh { start(refresh, clock) }
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            state.withLock { $0.machine.cancel(id) }?.resume(throwing: CancellationError())
        }
    }

    /// Starts a refresh, in a task with the task-local values and the priority of the current one.
    private func start(_ refresh: Machine.Refresh, _ clock: TransferClock) {
        let number = refresh.number
        let mark = Call.Work(owner: owner, number: number, sharesExchanges: false)
        let work = Call.inside(mark) {
            Task { [weak self, settings] in
                let result: Result<Credential, any Error>
                do {
                    result = .success(try await settings.refresh(refresh.old))
                } catch is CancellationError {
                    // Callers that were not cancelled must not mistake it for their own cancellation.
                    result = .failure(AuthenticationError(.refreshCancelled))
                } catch {
                    result = .failure(error)
                }
                self?.finish(number, with: result, clock)
            }
        }
        let timer = settings.timeLimit.map { limit in
            let deadline = clock.instant.advanced(by: limit)
            return Task { [weak self] in
                do { try await clock.sleep(until: deadline) } catch { return }
                self?.finish(number, with: .failure(AuthenticationError(.refreshTimedOut)), clock)
            }
        }
        let tasks = [work] + (timer.map { [$0] } ?? [])
        let isRunning = state.withLock { state in
            guard state.machine.refreshNumber == number else { return false }
            state.tasks = tasks
            return true
        }
        // The refresh has already ended, or another credential was set.
        if !isRunning { for task in tasks { task.cancel() } }
    }

    /// Marks an error of a refresh as final for retry policies if a retry policy has already retried the refresh.
    private static func marked(_ error: any Error) -> any Error {
        switch error {
        case var error as TransportError where error.attempts.haveRetries:
            error.isGivenUp = true
            return error
        case var error as UnacceptableResponseError where error.attempts.haveRetries:
            error.isGivenUp = true
            return error
        default: return error
        }
    }

    /// Ends a refresh, and resumes its waiters.
    private func finish(_ number: Int, with result: Result<Credential, any Error>, _ clock: TransferClock) {
        let now = clock.instant
        switch result {
        case .success(let credential):
            let lifetime = settings.lifetime?(credential)
            let (end, dropped) = state.withLock { state in
                let dropped = state
                let end = state.machine.succeed(number, with: credential, lifetime: lifetime, at: now)
                if end != nil { state.tasks = [] }
                return (end, dropped)
            }
            guard let end else { return }
            for task in dropped.tasks { task.cancel() }
            for waiter in end.waiters { waiter.resume(returning: end.lease) }
        case .failure(let error):
            let (waiters, dropped) = state.withLock { state -> ([Waiter]?, State) in
                let dropped = state
                guard state.machine.refreshNumber == number else { return (nil, dropped) }
                state.tasks = []
                return (state.machine.fail(number, with: error, at: now), dropped)
            }
            guard let waiters else { return }
            for task in dropped.tasks { task.cancel() }
            // Requests that are refused later get the unmarked error: another try may succeed.
            let marked = Self.marked(error)
            for waiter in waiters { waiter.resume(throwing: marked) }
        }
        // Release the last credential and the last error here, outside the lock: their deinitializers may run foreign code.
    }
}

private enum AuthenticationEpoch {
    static let instant = ContinuousClock.now
}
