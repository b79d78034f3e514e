/// What all futures do, whatever the type of their value: the shell around ``FutureState``.
@usableFromInline
struct FutureCore: Sendable {
    @usableFromInline
    typealias Outcome = Result<FutureValue, any Error>
    typealias Action = @Sendable (any AnyFuture) throws -> Void
    typealias Operation = @Sendable (FutureContext) async throws -> FutureValue
    @usableFromInline
    typealias Transform = @Sendable (Outcome) throws -> FutureValue

    enum Work: Sendable {
        /// A function that is given the future, and ends it.
        case action(Action)
        case value(FutureValue)
        case operation(Operation)
        /// What another future ends with, made into something else.
        case transform(any AnyFuture, Transform)

        /// Whether there is something to cancel.
        var runsInTask: Bool {
            switch self {
            case .action, .value: false
            case .operation, .transform: true
            }
        }
    }

    /// Not checked, because the state machine sees to it that it is resumed once, and checks cost more than that.
    typealias Waiter = UnsafeContinuation<FutureValue, any Error>
    typealias State = FutureState<FutureValue, Work, Waiter, any AnyFuture>

    private let state: Locked<State>

    init(_ work: Work) {
        state = Locked(State(work))
    }

    /// Where the future is in its life.
    var status: FutureStatus { state.withLock { $0.status } }

    /// Whether nothing was done yet.
    var isCreated: Bool { state.withLock { $0.isCreated } }

    /// The work, where it was never begun, so that it can be let go of.
    func takeUnstartedWork() -> Work? { state.withLock { $0.start() } }

    // MARK: Starting

    /// Starts the future in a task of its own, unless it was started before.
    ///
    /// - Parameter owner: The future, which stays alive until it has ended.
    func start(_ owner: any AnyFuture) {
        let canceller = FutureCanceller()
        begin(state.withLock { $0.start(canceller) }, owner, canceller)
    }

    /// Begins work; `isHere` says that it may begin on this thread, because whoever called does nothing but wait.
    private func begin(_ work: Work?, _ owner: any AnyFuture, _ canceller: FutureCanceller, isHere: Bool = false) {
        switch work {
        case nil: break
        case .value(let value): finish(.success(value))
        case .action(let action): run(action, owner)
        case .operation, .transform:
            let context = FutureContext(canceller: canceller, receiver: nil)
            // Saves waking another thread. Not inside of work that began so, or the stack would grow with each.
            if isHere, !Self.beganHere, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Self.$beganHere.withValue(true) {
                    _ = Task.immediate {
                        // It has no handle before it waits for something, which it may never do.
                        await withUnsafeCurrentTask { task in
                            // Sound, because `letGo()` waits for whoever uses it before this closure ends, and
                            // because another thread does nothing to it but cancel, which a `Task` allows too.
                            nonisolated(unsafe) let task = task
                            canceller.hold { task?.cancel() }
                            await run(work, context, owner)
                            canceller.letGo()
                        }
                    }
                }
            } else {
                canceller.attach(Task { await run(work, context, owner) })
            }
        }
    }

    /// Whether this task, or one it is a part of, began its work on the thread of who waits for it.
    @TaskLocal private static var beganHere = false

    /// Starts the future, unless it was started before, and waits for its value.
    ///
    /// Cancelling the calling task cancels the future.
    ///
    /// - Parameter owner: The future.
    /// - Returns: The value.
    /// - Throws: The error the future ended with.
    @usableFromInline
    func fetch(_ owner: any AnyFuture) async throws -> FutureValue {
        let isolation = #isolation
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { waiter in
                let canceller = FutureCanceller()
                let (work, outcome, isUndelivered) = state.withLock { state in
                    (state.start(canceller), state.wait(waiter), state.isUndelivered)
                }
                // Whoever ended it may not have come to sending its handlers ahead of those of who waits here.
                if isUndelivered { deliver() }
                if let outcome { waiter.resume(with: outcome) }
                // Last, so that this thread is free when the task looks for one.
                begin(work, owner, canceller, isHere: isolation == nil)
            }
        } onCancel: {
            cancel()
        }
    }

    // MARK: Working

    /// Waits for the value, and does the work for it right here where nobody began it.
    ///
    /// A chain of futures runs so in a single task. Cancelling the task cancels the future.
    ///
    /// - Parameters:
    ///   - owner: The future.
    ///   - context: What runs around it.
    /// - Returns: The value.
    /// - Throws: The error the future ended with.
    func value(_ owner: any AnyFuture, _ context: FutureContext) async throws -> FutureValue {
        defer { context.canceller.leave() }
        return try await run(start(context.canceller, context.receiver), context, owner).get()
    }

    /// Takes the work on, where nobody did, for whoever wants to know of its progress.
    private func start(_ canceller: FutureCanceller, _ receiver: (any AnyFuture)?) -> Work? {
        state.withLock { $0.start(canceller, receiver) }
    }

    /// Does the work of a future, and that of all it is made of.
    ///
    /// Links of a chain that only transform are worked off in a loop, and so cost little and need no stack.
    ///
    /// - Parameters:
    ///   - work: The work; `nil` where somebody else does it.
    ///   - context: What runs around it.
    ///   - owner: The future.
    /// - Returns: How the future ended. Its links are still in the canceller.
    @discardableResult
    private func run(_ work: Work?, _ context: FutureContext, _ owner: any AnyFuture) async -> Outcome {
        var work = work
        var future = owner
        var chain: [FutureLink] = []
        chain.reserveCapacity(4)
        while case .transform(let parent, let transform) = work {
            chain.append(FutureLink(future: future, transform: transform))
            // Each wants to know of the progress of the one before.
            work = parent.core.start(context.canceller, future)
            future = parent
        }
        chain.append(FutureLink(future: future, transform: nil))
        guard context.canceller.enter(chain) else {
            for link in chain.reversed() { link.future.core.cancel() }
            return cancel()
        }
        var outcome = await future.core.end(work, context, future)
        var index = chain.count - 1
        while index > 0 {
            index -= 1
            do {
                guard let transformed = try chain[index].transform?(outcome) else { continue }
                outcome = .success(transformed)
            } catch {
                // Work that was cancelled may end with any error.
                outcome = .failure(Task.isCancelled ? CancellationError() : error)
            }
            outcome = chain[index].future.core.finish(outcome)
        }
        return outcome
    }

    /// Does work that is not made of another future's, and ends the future with it, unless something else did so before.
    private func end(_ work: Work?, _ context: FutureContext, _ owner: any AnyFuture) async -> Outcome {
        switch work {
        case .operation(let operation):
            do {
                return finish(
                    .success(try await operation(FutureContext(canceller: context.canceller, receiver: owner)))
                )
            } catch {
                return finish(.failure(Task.isCancelled ? CancellationError() : error))
            }
        case .value(let value): return finish(.success(value))
        case .action(let action): if Task.isCancelled { cancel() } else { run(action, owner) }
        case nil, .transform: break
        }
        do {
            return .success(try await fetch(owner))
        } catch {
            return .failure(error)
        }
    }

    private func run(_ action: Action, _ owner: any AnyFuture) {
        do {
            try action(owner)
        } catch {
            finish(.failure(error))
        }
    }

    // MARK: Ending

    /// Ends the future, unless it has ended.
    ///
    /// - Parameter outcome: How; a `CancellationError` counts as cancellation.
    /// - Returns: How it ended.
    @discardableResult
    func finish(_ outcome: Outcome) -> Outcome {
        var end = State.End()
        let earlier = state.withLock { $0.finish(outcome, &end) }
        let isCancelled = if case .failure(let error) = earlier ?? outcome { error is CancellationError } else { false }
        // Handlers before those of whoever waits.
        if end.schedulesDelivery { deliver() }
        if isCancelled {
            // Comes back here for everything else that runs in the task, this future in its turn.
            end.followers.forEach { if case .canceller(let canceller, _) = $0 { canceller.cancel() } }
            // Also where another thread is about to: its turn must not come after that of whoever waits for this future.
            if state.withLock({ $0.claimDelivery() || $0.isUndelivered }) { deliver() }
        }
        if end.hasWaiters {
            end.followers.forEach { if case .waiter(let waiter) = $0 { waiter.resume(with: outcome) } }
        }
        return earlier ?? outcome
    }

    /// Cancels the future and its work, unless it has ended.
    ///
    /// - Returns: How it ended.
    @discardableResult
    func cancel() -> Outcome {
        finish(.failure(CancellationError()))
    }

    /// Starts the future, and ends another one as it ends.
    ///
    /// - Parameters:
    ///   - owner: The future.
    ///   - other: The future to end, with a value of the same type.
    func fulfill(_ owner: any AnyFuture, _ other: any AnyFuture) {
        // It ends with itself anyhow, and would tell itself of progress without an end.
        guard owner !== other else { return start(owner) }
        let canceller = FutureCanceller()
        guard other.core.state.withLock({ $0.add(canceller) }) else {
            cancel()
            return
        }
        // Before the work begins to tell.
        state.withLock { $0.forward(to: other) }
        start(owner)
        canceller.attach(
            Task {
                do {
                    other.core.finish(.success(try await fetch(owner)))
                } catch {
                    other.core.finish(.failure(error))
                }
            }
        )
    }

    // MARK: Telling

    /// Takes progress in.
    ///
    /// - Parameters:
    ///   - task: How far the work has come.
    ///   - others: Those who want to know too are added here.
    fileprivate func receive(_ task: TransferTask, _ others: inout [any AnyFuture]) {
        guard let action = state.withLock({ $0.update(task) }) else { return }
        if action.schedulesDelivery { deliver() }
        action.followers.forEach { follower in
            switch follower {
            case .receiver(let receiver), .canceller(_, let receiver?): others.append(receiver)
            case .waiter, .canceller(_, nil): break
            }
        }
    }

    /// Sets handlers.
    ///
    /// - Parameter change: Sets them.
    func set(_ change: (inout FutureHandlers<FutureValue>) -> Void) {
        let (schedulesDelivery, replaced) = state.withLock { $0.setHandler(change) }
        if schedulesDelivery { deliver() }
        withExtendedLifetime(replaced) {}
    }

    /// Runs handlers on the main actor, later.
    private func deliver() {
        Task { @MainActor in
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

/// A future, whatever the type of its value.
@usableFromInline
protocol AnyFuture: AnyObject, Sendable {
    /// What it does.
    var core: FutureCore { get }
}

extension AnyFuture {
    /// Tells of progress, and all who want to know of it.
    func tell(_ task: TransferTask) {
        // Chains can be long, and every link wants to know, once also where they fulfill each other in a ring.
        var rest: [any AnyFuture] = [self]
        var told: Set<ObjectIdentifier> = []
        while let future = rest.popLast() {
            if told.insert(ObjectIdentifier(future)).inserted { future.core.receive(task, &rest) }
        }
    }
}

/// What the work of a future finds around it.
struct FutureContext: Sendable {
    /// Ends the task that all of this runs in.
    let canceller: FutureCanceller
    /// The future the work belongs to, which wants to know of progress.
    let receiver: (any AnyFuture)?
}

extension FutureState where Work == FutureCore.Work {
    /// Starts the future, the first time.
    ///
    /// - Parameters:
    ///   - canceller: What ends the work with the future.
    ///   - receiver: Who is told of its progress, also where it was started before.
    /// - Returns: The work, which whoever asked has to do.
    fileprivate mutating func start(_ canceller: FutureCanceller, _ receiver: Receiver? = nil) -> Work? {
        let work = start()
        if work?.runsInTask == true {
            _ = add(canceller, receiver)
        } else if let receiver {
            forward(to: receiver)
        }
        return work
    }
}
