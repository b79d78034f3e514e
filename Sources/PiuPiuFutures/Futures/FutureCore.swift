/// The behavior of all futures, regardless of the type of their value: the shell around ``FutureState``.
@usableFromInline
struct FutureCore: Sendable {
    @usableFromInline
    typealias Outcome = Result<FutureValue, any Error>
    typealias Action = Callback<any AnyFuture, Void>
    typealias Operation = @Sendable (FutureContext) async throws -> FutureValue
    typealias Combine = @Sendable ([FutureValue]) throws -> FutureValue

    /// A function that makes the value of a future from the outcome of another one.
    @usableFromInline
    enum Step: Sendable {
        /// A synchronous function, which runs in the background.
        case transform(@Sendable (Outcome) throws -> FutureValue)
        /// A synchronous function, which runs where callbacks run.
        ///
        /// It is stored indirectly, like the other callbacks, because most links of a chain have none.
        indirect case callback(Callback<Outcome, FutureValue>)
        case operation(@Sendable (Outcome, FutureContext) async throws -> FutureValue)
        /// A function that makes another future, which ends this one with its outcome.
        case next(@Sendable (Outcome, FutureContext) async throws -> any AnyFuture)
    }

    enum Work: Sendable {
        case value(FutureValue)
        /// A function that receives the future, and ends it.
        indirect case action(Action)
        case operation(Operation)
        /// A function that makes an operation.
        indirect case request(Callback<FutureContext, Operation>)
        /// A step from the outcome of another future.
        case step(any AnyFuture, Step)
        /// A function of the values of other futures that run at the same time.
        case join([any AnyFuture], Combine)

        /// Whether the work can be done on this thread, without a task.
        ///
        /// - Parameter run: The run that does the work.
        /// - Returns: `false` if the work needs a task or another thread.
        func isSynchronous(in run: FutureRun) -> Bool {
            switch self {
            case .value: true
            case .action(let action): action.isCallableHere(run)
            case .operation, .request, .step, .join: false
            }
        }

        /// The futures that the future derives from.
        var parents: [any AnyFuture] {
            switch self {
            case .value, .action, .operation, .request: []
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
        if let work = start(run) { run.start(owner, work, isHere: isHere) }
    }

    /// Starts the future for a run, unless it was already started.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - receiver: A future to pass updates on to.
    /// - Returns: The work that the run has to do; `nil` if the future was already started or has ended.
    func start(_ run: FutureRun, _ receiver: (any AnyFuture)? = nil) -> Work? {
        state.withLock { $0.start(run, receiver) }
    }

    /// Starts the future, and ends another one with the same outcome.
    ///
    /// - Parameters:
    ///   - owner: The future.
    ///   - other: The future to end, with a value of the same type.
    func fulfill(_ owner: any AnyFuture, _ other: any AnyFuture) {
        // A future always ends with itself, and would pass updates to itself endlessly.
        guard owner !== other else { return start(owner) }
        let run = FutureRun()
        if other.core.state.withLock({ $0.add(run) }) {
            run.start(other, .step(owner, .transform { try $0.get() }))
        } else {
            cancel(owner)
        }
    }

    // MARK: Waiting

    /// Waits for the value, and runs the future as a part of other work unless it was already started.
    ///
    /// Cancelling the calling task cancels the future.
    ///
    /// - Parameters:
    ///   - owner: The future.
    ///   - context: The other work.
    /// - Returns: The value.
    /// - Throws: The error the future ended with.
    func value(_ owner: any AnyFuture, _ context: FutureContext) async throws -> FutureValue {
        let run = FutureRun(partOf: context.run)
        guard let work = start(run, context.future) else { return try await outcome(owner).get() }
        return try await run.run(owner, work).get()
    }

    /// Waits for the outcome.
    ///
    /// Cancelling the calling task cancels the future, before it starts if the task is already cancelled.
    ///
    /// - Parameters:
    ///   - owner: The future.
    ///   - isStarted: Whether to start the future, unless it was already started.
    /// - Returns: The outcome.
    @usableFromInline
    func outcome(_ owner: any AnyFuture, isStarted: Bool = false) async -> Outcome {
        let isolation = #isolation
        defer { state.showOrder() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (outcome, isUndelivered) = state.withLock { ($0.wait(waiter), $0.isUndelivered) }
                // The thread that ended the future may not have scheduled its handlers yet. They run before those of
                // the waiter.
                if isUndelivered { deliver(owner) }
                if let outcome { waiter.resume(returning: outcome) }
                // Starts last, because the work may begin on this thread. If the caller is on an actor, the work begins
                // elsewhere, because other work may need the actor in the meantime.
                if isStarted { start(owner, isHere: isolation == nil) }
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
    /// - Returns: The outcome that counts: this one, or an earlier one.
    @discardableResult
    func finish(_ outcome: Outcome, _ owner: any AnyFuture) -> Outcome {
        var end = State.End()
        let (outcome, isUndelivered) = state.withLock { ($0.finish(outcome, &end), $0.isUndelivered) }
        if case .failure(let error) = outcome, error is CancellationError {
            // Cancels this future too, in its turn: the handlers of the futures it derives from run before its own.
            end.run?.cancel()
            for case .run(let run) in end.followers { run.cancel() }
        }
        // Delivers even if another thread ended the future: its handlers run before those of the futures that wait for
        // it.
        if isUndelivered { deliver(owner) }
        for case .waiter(let waiter) in end.followers { waiter.resume(returning: outcome) }
        return outcome
    }

    /// Cancels the future and its work, unless it has ended.
    ///
    /// Futures that fetch each other each have a task, and cancelling those tasks recurses. The run is therefore
    /// cancelled first, before `finish` uses stack space.
    ///
    /// - Parameter owner: The future, which stays alive until its handlers have run.
    func cancel(_ owner: any AnyFuture) {
        state.withLock { $0.cancel() }?.cancel()
        finish(.failure(CancellationError()), owner)
    }

    /// Releases work that never began.
    ///
    /// A future owns the futures it derives from. This method releases them in a loop: if each future released the next
    /// one, a long chain would need the stack for as many nested calls.
    func releaseWork() {
        // The objects are optional: Swift opens an existential that is not, and the copy prevents a unique reference.
        var rest = abandon()
        while let last = rest.indices.last {
            let parents = isKnownUniquelyReferenced(&rest[last].object) ? rest[last].core.abandon() : []
            rest.removeLast()
            rest += parents
        }
    }

    /// Takes the work from a future that was never started.
    ///
    /// - Returns: The futures it derives from.
    private func abandon() -> [(object: AnyObject?, core: FutureCore)] {
        let work = state.withLock { $0.abandon() }
        return work?.parents.map { ($0, $0.core) } ?? []
    }

    // MARK: Telling

    /// Records progress.
    ///
    /// - Parameters:
    ///   - task: The progress of the work.
    ///   - isStage: Whether the handler is told beside what it was not yet told.
    ///   - owner: The future.
    /// - Returns: The futures to pass the progress on to.
    fileprivate func receive(_ task: TransferTask, _ isStage: Bool, _ owner: any AnyFuture) -> [any AnyFuture] {
        guard let action = state.withLock({ $0.update(task, isStage: isStage) }) else { return [] }
        if action.schedulesDelivery { deliver(owner) }
        return action.receivers
    }

    /// Sets handlers.
    ///
    /// - Parameters:
    ///   - owner: The future.
    ///   - change: Changes the handlers.
    func set(_ owner: any AnyFuture, _ change: (inout FutureHandlers<FutureValue>) -> Void) {
        let (replaced, isUndelivered) = state.withLock { ($0.setHandler(change), $0.isUndelivered) }
        if isUndelivered { deliver(owner) }
        withExtendedLifetime(replaced) {}
    }

    /// Schedules the handlers on the main actor.
    ///
    /// It may be called more often than necessary: each handler is delivered once.
    ///
    /// - Parameter owner: The future, which stays alive until the handlers have run, as in PiuPiu 1.
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
    ///   - isStage: Whether it is delivered beside those that were not, because it is one of a few.
    func tell(_ task: TransferTask, isStage: Bool = false) {
        // A loop, because chains can be long. Each future is visited once, because futures can fulfill each other in a
        // cycle.
        var rest: [any AnyFuture] = [self]
        var told: Set<ObjectIdentifier> = []
        while let future = rest.popLast() {
            if told.insert(ObjectIdentifier(future)).inserted { rest += future.core.receive(task, isStage, future) }
        }
    }
}
