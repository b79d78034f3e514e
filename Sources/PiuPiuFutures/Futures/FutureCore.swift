/// The behavior of all futures, regardless of the type of their value: the shell around ``FutureState``.
@usableFromInline
struct FutureCore: Sendable {
    @usableFromInline
    typealias Outcome = Result<FutureValue, any Error>
    typealias Action = Callback<any AnyFuture, Void>
    typealias Operation = @Sendable (FutureContext) async throws -> FutureValue
    typealias Combine = @Sendable ([FutureValue]) throws -> FutureValue

    /// A function that makes the value of a future from the outcome of another future.
    @usableFromInline
    enum Step: Sendable {
        /// A synchronous function, which runs in the background.
        case transform(@Sendable (Outcome) throws -> FutureValue)
        /// A synchronous function that runs where callbacks run.
        ///
        /// It is stored indirectly, like the other callbacks, because most links of a chain have no callback.
        indirect case callback(Callback<Outcome, FutureValue>)
        case operation(@Sendable (Outcome, FutureContext) async throws -> FutureValue)
        /// A function that makes another future, whose outcome ends this future.
        case next(@Sendable (Outcome, FutureContext) async throws -> any AnyFuture)
    }

    enum Work: Sendable {
        case value(FutureValue)
        /// A function that receives the future and ends it.
        indirect case action(Action)
        case operation(Operation)
        /// A function that makes an operation.
        indirect case makeOperation(Callback<FutureContext, Operation>)
        /// A step from the outcome of another future.
        case step(any AnyFuture, Step)
        /// A function of the values of other futures, which run at the same time.
        case join([any AnyFuture], Combine)

        /// Whether a run can do the work on this thread, without a task.
        func isSynchronous(in run: FutureRun) -> Bool {
            switch self {
            case .value: true
            case .action(let action): action.isCallableHere(run)
            case .operation, .makeOperation, .step, .join: false
            }
        }

        /// The futures that the future derives from.
        var parents: [any AnyFuture] {
            switch self {
            case .value, .action, .operation, .makeOperation: []
            case .step(let parent, _): [parent]
            case .join(let parents, _): parents
            }
        }
    }

    typealias Waiter = CheckedContinuation<Outcome, Never>
    typealias State = FutureState<FutureValue, Work, Waiter, any AnyFuture>

    private let state: Locked<State>

    init(_ work: Work) {
        state = Locked(State(work))
    }

    /// The public status.
    var status: FutureStatus { state.withLock { $0.status } }

    /// The outcome; `nil` until the future has ended.
    var currentOutcome: Outcome? { state.withLock { $0.outcome } }

    // MARK: Starting

    /// Starts the future in a new task, unless it was already started.
    ///
    /// - Parameters:
    ///   - owner: The future, which stays alive until it has ended.
    ///   - isHere: Whether the task may begin on this thread, because the caller only waits for it.
    func start(_ owner: any AnyFuture, isHere: Bool = false) {
        let run = FutureRun()
        if let work = claimWork(for: run) { run.launch(owner, work, isHere: isHere) }
    }

    /// Starts the future for a run, and returns the work; `nil` if the future was already started or has ended.
    ///
    /// The receiver is a future that also receives the updates.
    func claimWork(for run: FutureRun, _ receiver: (any AnyFuture)? = nil) -> Work? {
        state.withLock { $0.claimWork(for: run, receiver) }
    }

    /// Starts the future, and ends another one, with a value of the same type, with the same outcome.
    func fulfill(_ owner: any AnyFuture, _ other: any AnyFuture) {
        // A future always ends with its own outcome, and would pass updates to itself endlessly.
        guard owner !== other else { return start(owner) }
        let run = FutureRun()
        if other.core.state.withLock({ $0.add(run) }) {
            run.launch(other, .step(owner, .transform { try $0.get() }))
        } else {
            cancel(owner)
        }
    }

    // MARK: Waiting

    /// Waits for the value, and runs the future as part of other work unless it was already started.
    ///
    /// Cancelling the calling task cancels the future.
    func value(_ owner: any AnyFuture, _ context: FutureContext) async throws -> FutureValue {
        let run = FutureRun(partOf: context.run)
        guard let work = claimWork(for: run, context.future) else { return try await outcome(owner).get() }
        return try await run.run(owner, work).get()
    }

    /// Waits for the outcome, and optionally starts the future unless it was already started.
    ///
    /// Cancelling the calling task cancels the future, before it starts if the task is already cancelled.
    @usableFromInline
    func outcome(_ owner: any AnyFuture, startsFuture: Bool = false) async -> Outcome {
        let isolation = #isolation
        defer { state.showOrder() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (outcome, isUndelivered) = state.withLock { ($0.wait(waiter), $0.isUndelivered) }
                // The thread that ended the future may not have scheduled its handlers yet. They run before those of
                // the waiter.
                if isUndelivered { deliver(owner) }
                if let outcome { waiter.resume(returning: outcome) }
                // Starts the work last, because it may begin on this thread. If the caller is on an actor, the work begins
                // elsewhere, because other work may need the actor in the meantime.
                if startsFuture { start(owner, isHere: isolation == nil) }
            }
        } onCancel: {
            cancel(owner)
        }
    }

    // MARK: Ending

    /// Ends the future, unless it has ended.
    ///
    /// - Parameters:
    ///   - outcome: The outcome; a `CancellationError` is a cancellation.
    ///   - owner: The future, which stays alive until its handlers have run.
    /// - Returns: The final outcome: this one, or an earlier one.
    @discardableResult
    func finish(_ outcome: Outcome, _ owner: any AnyFuture) -> Outcome {
        var end = State.End()
        let (outcome, isUndelivered) = state.withLock { ($0.finish(outcome, &end), $0.isUndelivered) }
        if case .failure(let error) = outcome, error is CancellationError {
            // Also cancels this future, in order: the handlers of its parents run before its own.
            end.run?.cancel()
            for case .run(let run) in end.followers { run.cancel() }
        }
        // Delivers even if another thread ended the future, because its handlers run before those of the futures that wait
        // for it.
        if isUndelivered { deliver(owner) }
        for case .waiter(let waiter) in end.followers { waiter.resume(returning: outcome) }
        return outcome
    }

    /// Cancels the future and its work, unless it has ended; the future stays alive until its handlers have run.
    ///
    /// If futures fetch each other, each has its own task, and cancelling those tasks recurses. This method therefore
    /// cancels the run first, before `finish` uses stack space.
    func cancel(_ owner: any AnyFuture) {
        state.withLock { $0.cancel() }?.cancel()
        finish(.failure(CancellationError()), owner)
    }

    /// Releases work that never began.
    ///
    /// A future owns its parents. This method releases them in a loop: if each future released the next one, a long
    /// chain would need a stack with as many nested calls.
    func releaseWork() {
        // The objects are optional, because Swift would copy a non-optional existential, which prevents a unique reference.
        var rest = abandon()
        while let last = rest.indices.last {
            let parents = isKnownUniquelyReferenced(&rest[last].object) ? rest[last].core.abandon() : []
            rest.removeLast()
            rest += parents
        }
    }

    /// Takes the work from a future that was never started, and returns the futures it derives from.
    private func abandon() -> [(object: AnyObject?, core: FutureCore)] {
        let work = state.withLock { $0.abandon() }
        return work?.parents.map { ($0, $0.core) } ?? []
    }

    // MARK: Updates

    /// Records progress.
    ///
    /// - Parameters:
    ///   - task: The progress of the work.
    ///   - isStage: Whether the update is delivered in addition to undelivered ones, instead of replacing one.
    ///   - owner: The future.
    /// - Returns: The futures to pass the progress on to.
    fileprivate func receive(_ task: TransferTask, _ isStage: Bool, _ owner: any AnyFuture) -> [any AnyFuture] {
        guard let action = state.withLock({ $0.update(task, isStage: isStage) }) else { return [] }
        if action.schedulesDelivery { deliver(owner) }
        return action.receivers
    }

    /// Sets handlers.
    func set(_ owner: any AnyFuture, _ change: (inout FutureHandlers<FutureValue>) -> Void) {
        let (replaced, isUndelivered) = state.withLock { ($0.setHandler(change), $0.isUndelivered) }
        if isUndelivered { deliver(owner) }
        withExtendedLifetime(replaced) {}
    }

    /// Schedules the handlers on the main actor; the future stays alive until they have run, as in PiuPiu 1.
    ///
    /// It may be called more often than necessary: each handler is delivered once.
    private func deliver(_ owner: any AnyFuture) {
        Task { @MainActor in
            defer { withExtendedLifetime(owner) {} }
            while let step = state.withLock({ $0.nextDelivery() }) {
                switch step {
                case .update(let task, let handler): handler(task)
                case .error(let error, let handler): handler(error)
                case .cancellation(let handler): handler()
                case .completion(let handlers): handlers.completion?()
                case .success(let value, let handler):
                    do {
                        try handler(value)
                    } catch {
                        state.withLock { $0.successThrew(error) }
                    }
                }
            }
        }
    }
}

/// A future, regardless of the type of its value.
@usableFromInline
protocol AnyFuture: AnyObject, Sendable {
    /// The behavior of the future.
    var core: FutureCore { get }
}

extension AnyFuture {
    /// Passes progress to the future and to all futures that derive from it.
    ///
    /// - Parameters:
    ///   - task: The progress; the newest replaces one that was not delivered.
    ///   - isStage: Whether to deliver it in addition to undelivered ones, because it is one of a few.
    func tell(_ task: TransferTask, isStage: Bool = false) {
        // A loop, because chains can be long. It visits each future once, because futures can fulfill each other in a
        // cycle.
        var rest: [any AnyFuture] = [self]
        var told: Set<ObjectIdentifier> = []
        while let future = rest.popLast() {
            if told.insert(ObjectIdentifier(future)).inserted { rest += future.core.receive(task, isStage, future) }
        }
    }
}
