/// The state of a future: a pure value.
///
///     created(work) ── start ──▶ started ── finish ──▶ finished(outcome)
///          └────────────────── finish ─────────────────────▲
///
/// | State | It owns | `start` | `finish`, also called by `cancel()` |
/// |---|---|---|---|
/// | created | the work, which owns the futures that it derives from | hands out the work | drops the work |
/// | started | its runs, its followers | does nothing | hands out the runs and the followers |
/// | finished | the outcome, and handlers until they have run | does nothing | does nothing; the first outcome stays |
///
/// The first ``finish(_:_:)`` is the only terminal event. A cancellation then cancels the runs that it returned: their
/// task, and every other future in them. The waiters are resumed with the outcome.
///
/// Handlers run on the main actor, one ``nextDelivery()`` after the other: updates first, then one of success, error
/// and cancellation, then completion, which releases all of them.
///
/// Functions return objects that are no longer needed, because releasing them can run the caller's code, which must not
/// happen under a lock.
struct FutureState<Value: Sendable, Work: Sendable, Waiter: Sendable, Receiver: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Handlers = FutureHandlers<Value>

    enum Phase: Sendable {
        case created(Work)
        case started
        case finished(Outcome)
    }

    /// An object that follows a future until its end.
    enum Follower: Sendable {
        /// A continuation that waits for the outcome.
        case waiter(Waiter)
        /// A future to pass updates on to.
        case receiver(Receiver)
        /// A run that ends the future with the outcome of another one.
        case run(FutureRun)
    }

    /// The handlers, stored indirectly, because most links of a chain have no handlers.
    private indirect enum Observers: Sendable {
        case handlers(Handlers)
    }

    private var phase: Phase
    /// The run that does the work, and the future in it that derives from this one.
    ///
    /// They are not in `followers`, because an array needs an allocation, and few futures have any other followers.
    private var run: FutureRun?
    private var receiver: Receiver?
    private var followers: [Follower] = []
    private var observers: Observers?
    /// The undelivered updates of each request.
    private var pendingUpdates: [PendingUpdate] = []
    /// Whether updates are on their way to the main actor.
    private var isDeliveringUpdates = false
    /// Whether the success, error or cancellation handler was handed out.
    private var hasDeliveredOutcome = false
    /// Whether the completion handler was handed out; no handler may run after it.
    private var hasCompleted = false
    /// The error that the success handler threw.
    private var lateError: (any Error)?
    private var hasDeliveredLateError = false
    /// Whether the handler that receives the outcome has returned, or the future ended without such a handler.
    private var hasToldOutcome = false

    /// Creates the state of a future that was not started.
    init(_ work: Work) {
        phase = .created(work)
    }

    /// The outcome; `nil` until the future has ended.
    var outcome: Outcome? {
        if case .finished(let outcome) = phase { outcome } else { nil }
    }

    /// Whether the future has ended and may have handlers to run.
    var isUndelivered: Bool {
        if case .finished = phase { observers != nil } else { false }
    }

    private var handlers: Handlers? {
        if case .handlers(let handlers) = observers { handlers } else { nil }
    }

    /// Whether the future was neither started nor ended.
    var isCreated: Bool {
        if case .created = phase { true } else { false }
    }

    /// The public status; it stays that of an unfinished future until the outcome's handler returns, as in PiuPiu 1.
    var status: FutureStatus {
        switch phase {
        case .created: .created
        case .started: .started
        case .finished where !hasToldOutcome: .started
        case .finished(.success): lateError == nil ? .success : .error
        case .finished(.failure(let error)): error is CancellationError ? .cancelled : .error
        }
    }

    // MARK: Starting and ending

    /// Starts the future with a run, the first time, and returns the work; otherwise returns `nil`.
    ///
    /// The receiver gets the updates even if the future was already started.
    mutating func claimWork(for run: FutureRun, _ receiver: Receiver? = nil) -> Work? {
        guard isCreated else {
            if let receiver, outcome == nil { followers.append(.receiver(receiver)) }
            return nil
        }
        self.run = run
        self.receiver = receiver
        // Moving the work is cheaper than copying it.
        var before = Phase.started
        swap(&before, &phase)
        if case .created(let work) = before { return work } else { return nil }
    }

    /// Adds a run that is cancelled with the future and ends it; returns `false` if the future has ended.
    mutating func add(_ run: FutureRun) -> Bool {
        if case .finished = phase { return false }
        followers.append(.run(run))
        return true
    }

    /// The work and the references that ``finish(_:_:)`` returns to its caller, some of them only to be released.
    struct End: Sendable {
        fileprivate(set) var run: FutureRun?
        fileprivate(set) var receiver: Receiver?
        fileprivate(set) var followers: [Follower] = []
        /// The previous phase, with work that never began.
        fileprivate(set) var phase = Phase.started
    }

    /// Ends the future, the first time.
    ///
    /// - Parameters:
    ///   - outcome: The outcome; a failure with `CancellationError` is a cancellation.
    ///   - end: Receives the rest. It is swapped, because this is the most frequent step of a chain.
    /// - Returns: The final outcome: this one, or an earlier one.
    mutating func finish(_ outcome: Outcome, _ end: inout End) -> Outcome {
        swap(&end.run, &run)
        swap(&end.receiver, &receiver)
        swap(&end.followers, &followers)
        if case .finished(let earlier) = phase { return earlier }
        swap(&end.phase, &phase)
        phase = .finished(outcome)
        noteHandler(of: outcome)
        return outcome
    }

    /// Records that an outcome has no handler, so that the status need not wait for one.
    private mutating func noteHandler(of outcome: Outcome) {
        if handlers.flatMap({ step(for: outcome, $0) }) == nil { hasToldOutcome = true }
    }

    /// Cancels the future if it was started, and returns the run to cancel first.
    ///
    /// It leaves the followers to ``finish(_:_:)``.
    mutating func cancel() -> FutureRun? {
        guard case .started = phase else { return nil }
        let outcome = Outcome.failure(CancellationError())
        phase = .finished(outcome)
        noteHandler(of: outcome)
        return run
    }

    /// Cancels a future that can no longer be started or observed, and returns its work if that never began.
    mutating func abandon() -> Work? {
        guard isCreated else { return nil }
        hasToldOutcome = true
        var before = Phase.finished(.failure(CancellationError()))
        swap(&before, &phase)
        if case .created(let work) = before { return work } else { return nil }
    }

    /// Waits for the outcome; if the future has already ended, returns it and does not keep the waiter.
    mutating func wait(_ waiter: Waiter) -> Outcome? {
        if let outcome { return outcome }
        followers.append(.waiter(waiter))
        return nil
    }

    // MARK: Updates

    /// The undelivered updates of one request.
    private struct PendingUpdate {
        /// The newest state of the request.
        var task: TransferTask
        /// The number of undelivered stages.
        var stages = 0
        /// Whether bytes moved since the last delivery; all such updates are delivered as one.
        var hasMoved = false
    }

    /// The effects of an update.
    struct UpdateAction: Sendable {
        /// Whether the handlers have to be scheduled on the main actor.
        let schedulesDelivery: Bool
        /// The futures to pass the update on to.
        let receivers: [Receiver]
        /// An older, undelivered update, returned only to be released.
        let replaced: TransferTask?
    }

    /// Records progress.
    ///
    /// - Parameters:
    ///   - task: The newest state of a transfer; an older, undelivered state of the same transfer is dropped.
    ///   - isStage: Whether the update is delivered in addition to undelivered ones, instead of replacing one.
    /// - Returns: The effects; `nil` if the future has ended.
    mutating func update(_ task: TransferTask, isStage: Bool = false) -> UpdateAction? {
        if case .finished = phase { return nil }
        var receivers = receiver.map { [$0] } ?? []
        for case .receiver(let receiver) in followers { receivers.append(receiver) }
        guard handlers?.updated != nil else {
            return UpdateAction(schedulesDelivery: false, receivers: receivers, replaced: nil)
        }
        var replaced: TransferTask?
        var update = PendingUpdate(task: task)
        let index = pendingUpdates.firstIndex { $0.task.id == task.id }
        if let index {
            update = pendingUpdates[index]
            replaced = update.task
            update.task = task
        }
        if isStage { update.stages += 1 } else { update.hasMoved = true }
        if let index {
            pendingUpdates[index] = update
        } else {
            // A caller that creates its own tasks may give each task a different identity.
            if pendingUpdates.count == 100 { replaced = pendingUpdates.removeFirst().task }
            pendingUpdates.append(update)
        }
        defer { isDeliveringUpdates = true }
        return UpdateAction(schedulesDelivery: !isDeliveringUpdates, receivers: receivers, replaced: replaced)
    }

    // MARK: Handlers

    /// Sets handlers, unless the completion handler was handed out, and returns the previous ones, only to be released.
    mutating func setHandler(_ change: (inout Handlers) -> Void) -> Handlers? {
        guard !hasCompleted else { return nil }
        let replaced = handlers
        var new = replaced ?? Handlers()
        change(&new)
        observers = .handlers(new)
        return replaced
    }

    enum DeliveryStep: Sendable {
        case update(TransferTask, Handlers.Updated)
        case success(Value, Handlers.Succeeded)
        case error(any Error, Handlers.Failed)
        case cancellation(Handlers.Ended)
        /// Run the completion handler, if it is set, and release all handlers.
        case completion(Handlers)
    }

    /// Returns the next handler to run; `nil` if there is nothing more to deliver now.
    mutating func nextDelivery() -> DeliveryStep? {
        if let update = pendingUpdates.first, let handler = handlers?.updated {
            if update.stages + (update.hasMoved ? 1 : 0) > 1 {
                // Stages last, because the end of a request is always a stage.
                if update.hasMoved { pendingUpdates[0].hasMoved = false } else { pendingUpdates[0].stages -= 1 }
            } else {
                pendingUpdates.removeFirst()
            }
            return .update(update.task, handler)
        }
        isDeliveringUpdates = false
        guard case .finished(let outcome) = phase, let handlers else { return nil }
        if let lateError, !hasDeliveredLateError, let handler = handlers.error {
            hasDeliveredLateError = true
            return .error(lateError, handler)
        }
        if !hasDeliveredOutcome, let step = step(for: outcome, handlers) {
            hasDeliveredOutcome = true
            return step
        }
        observers = nil
        hasToldOutcome = true
        hasCompleted = handlers.completion != nil
        return .completion(handlers)
    }

    private func step(for outcome: Outcome, _ handlers: Handlers) -> DeliveryStep? {
        switch outcome {
        case .success(let value): handlers.success.map { .success(value, $0) }
        case .failure(let error) where error is CancellationError: handlers.cancellation.map { .cancellation($0) }
        case .failure(let error): handlers.error.map { .error(error, $0) }
        }
    }

    /// Records an error that the success handler threw, which is passed to the error handler.
    mutating func successThrew(_ error: any Error) {
        lateError = error
    }
}
