/// The states of a future, its handlers and who waits for it: a pure value.
///
///     created ── start ──▶ started ──┐
///        └──── finish (once) ────────┴──▶ finished
///
/// The first ``finish(_:)`` counts, every later one is ignored. It hands out everything that has to be told or let go of;
/// handlers run afterwards, on the main actor, one ``nextDelivery()`` after the other: the newest update, then one of
/// success, error and cancellation, then completion.
///
/// Whatever is not needed any more is handed out too: letting go of what a caller captured can run code of the caller,
/// which must not happen under a lock.
struct FutureState<Value: Sendable, Work: Sendable, Waiter: Sendable, Receiver: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>
    typealias Handlers = FutureHandlers<Value>

    enum Phase: Sendable {
        case created(Work)
        case started
        case finished(Outcome)
    }

    /// Somebody to whom the end of the future matters.
    enum Follower: Sendable {
        /// Waits for the outcome.
        case waiter(Waiter)
        /// Is told of progress.
        case receiver(Receiver)
        /// Ends the work when the future is cancelled, and may be told of progress.
        case canceller(FutureCanceller, Receiver?)
    }

    private enum Delivery: Sendable {
        /// Nothing is to be delivered.
        case idle
        /// Somebody has to be sent to the main actor, once whom this future waited for did so.
        case owed
        /// Somebody is on the way to the main actor.
        case scheduled
    }

    /// Handlers, out of line because most links of a chain have none.
    private final class Observers: Sendable {
        let handlers: Handlers

        init(_ handlers: Handlers) {
            self.handlers = handlers
        }
    }

    private enum LateError: Sendable {
        case none
        case pending(any Error)
        case delivered
    }

    private var phase: Phase
    private var delivery = Delivery.idle
    private var followers = Few<Follower>.none
    private var hasWaiters = false
    /// The newest update of each request that was not delivered.
    private var pendingUpdates: [TransferTask] = []
    /// Whether success, error or cancellation was handed out.
    private var hasDeliveredOutcome = false
    /// Whether completion was handed out; nothing may run after it.
    private var hasCompleted = false
    private var observers: Observers?
    /// A handler of success that threw made an error of it.
    private var lateError = LateError.none

    /// Creates a state.
    ///
    /// - Parameter work: What is done when the future is started.
    init(_ work: Work) {
        phase = .created(work)
    }

    /// The outcome, once there is one.
    var outcome: Outcome? {
        if case .finished(let outcome) = phase { outcome } else { nil }
    }

    /// Whether it has ended, and its handlers may not have run yet.
    var isUndelivered: Bool {
        if case .finished = phase { observers != nil } else { false }
    }

    private var handlers: Handlers? { observers?.handlers }

    /// Whether nothing was done yet.
    var isCreated: Bool {
        if case .created = phase { true } else { false }
    }

    /// What the outside sees.
    var status: FutureStatus {
        switch phase {
        case .created: return .created
        case .started: return .started
        case .finished(.success):
            if case .none = lateError { return .success }
            return .error
        case .finished(.failure(let error)): return error is CancellationError ? .cancelled : .error
        }
    }

    // MARK: Starting and ending

    /// Starts the future, the first time.
    ///
    /// - Returns: The work, which whoever asked has to do; `nil` where it is being done, or was.
    mutating func start() -> Work? {
        guard isCreated else { return nil }
        // Moved, not copied.
        var before = Phase.started
        swap(&before, &phase)
        if case .created(let work) = before { return work } else { return nil }
    }

    /// Adds something to end with the future when that is cancelled.
    ///
    /// - Parameters:
    ///   - canceller: What to end.
    ///   - receiver: Who is told of progress until then.
    /// - Returns: `false` where the future has ended.
    mutating func add(_ canceller: FutureCanceller, _ receiver: Receiver? = nil) -> Bool {
        if case .finished = phase { return false }
        followers.append(.canceller(canceller, receiver))
        return true
    }

    /// What the end of a future leaves to do.
    struct End: Sendable {
        /// Who is to be told, or only let go of.
        fileprivate(set) var followers = Few<Follower>.none
        /// Whether any of them waits for the outcome.
        fileprivate(set) var hasWaiters = false
        /// The phase before, with work that never began; only to be let go of.
        fileprivate(set) var phase = Phase.started
        /// Whether somebody has to go to the main actor.
        fileprivate(set) var schedulesDelivery = false
    }

    /// Ends the future, the first time.
    ///
    /// - Parameters:
    ///   - outcome: How; a failure with `CancellationError` is a cancellation, whose delivery is owed: see
    ///     ``claimDelivery()``.
    ///   - end: Becomes what is to do; it is moved, because this is the dearest step of a chain.
    /// - Returns: How it had ended before, if it had.
    mutating func finish(_ outcome: Outcome, _ end: inout End) -> Outcome? {
        if case .finished(let outcome) = phase { return outcome }
        swap(&end.phase, &phase)
        swap(&end.followers, &followers)
        end.hasWaiters = hasWaiters
        phase = .finished(outcome)
        if observers != nil {
            if delivery == .idle { delivery = .owed }
            if case .failure(let error) = outcome, error is CancellationError {
            } else {
                end.schedulesDelivery = claimDelivery()
            }
        }
        return nil
    }

    /// Takes on the delivery of a cancellation.
    ///
    /// Cancelling a chain goes through all of it; each link has its turn before those that wait for it.
    ///
    /// - Returns: Whether somebody has to go to the main actor.
    mutating func claimDelivery() -> Bool {
        guard delivery == .owed else { return false }
        delivery = .scheduled
        return true
    }

    /// Waits for the outcome.
    ///
    /// - Parameter waiter: Who waits.
    /// - Returns: The outcome, where it is there already.
    mutating func wait(_ waiter: Waiter) -> Outcome? {
        if case .finished(let outcome) = phase { return outcome }
        followers.append(.waiter(waiter))
        hasWaiters = true
        return nil
    }

    // MARK: Updates

    /// Passes updates on to somebody, until the future has ended.
    ///
    /// - Parameter receiver: Who gets them.
    mutating func forward(to receiver: Receiver) {
        if case .finished = phase { return }
        followers.append(.receiver(receiver))
    }

    struct UpdateAction: Sendable {
        /// Whether somebody has to go to the main actor.
        let schedulesDelivery: Bool
        /// Those who may want to be told too.
        let followers: Few<Follower>
        /// An older update that was not delivered; only to be let go of.
        let replaced: TransferTask?
    }

    /// Bytes moved.
    ///
    /// - Parameter task: The newest state of a transfer; an older one of the same that was not delivered is dropped.
    /// - Returns: What to do, or `nil` where the future has ended.
    mutating func update(_ task: TransferTask) -> UpdateAction? {
        if case .finished = phase { return nil }
        guard handlers?.updated != nil else {
            return UpdateAction(schedulesDelivery: false, followers: followers, replaced: nil)
        }
        var replaced: TransferTask?
        if let index = pendingUpdates.firstIndex(where: { $0.id == task.id }) {
            replaced = pendingUpdates[index]
            pendingUpdates[index] = task
        } else {
            // Whoever makes tasks up may give each another identity.
            if pendingUpdates.count == 100 { replaced = pendingUpdates.removeFirst() }
            pendingUpdates.append(task)
        }
        defer { delivery = .scheduled }
        return UpdateAction(schedulesDelivery: delivery == .idle, followers: followers, replaced: replaced)
    }

    // MARK: Handlers

    /// Sets handlers; does nothing once the future's completion ran.
    ///
    /// - Parameter change: Sets them.
    /// - Returns: Whether somebody has to go to the main actor, because the future has ended in the meantime, and the
    ///   handlers from before, only to be let go of.
    mutating func setHandler(_ change: (inout Handlers) -> Void) -> (schedulesDelivery: Bool, replaced: Handlers?) {
        guard !hasCompleted else { return (false, nil) }
        let replaced = handlers
        var new = replaced ?? Handlers()
        change(&new)
        observers = Observers(new)
        guard case .finished = phase, delivery == .idle else { return (false, replaced) }
        delivery = .scheduled
        return (true, replaced)
    }

    enum DeliveryStep: Sendable {
        case update(TransferTask, Handlers.Updated)
        case success(Value, Handlers.Succeeded)
        case error(any Error, Handlers.Failed)
        case cancellation(Handlers.Ended)
        /// Completion is to run, where there is one, and all handlers are to be let go of.
        case completion(Handlers)
    }

    /// The next handler to run.
    ///
    /// - Returns: The handler; `nil` where nothing more is to be delivered now.
    mutating func nextDelivery() -> DeliveryStep? {
        if !pendingUpdates.isEmpty, let handler = handlers?.updated {
            return .update(pendingUpdates.removeFirst(), handler)
        }
        guard case .finished(let outcome) = phase else {
            delivery = .idle
            return nil
        }
        if case .pending(let error) = lateError, let handler = handlers?.error {
            lateError = .delivered
            return .error(error, handler)
        }
        if !hasDeliveredOutcome, let step = step(for: outcome) {
            hasDeliveredOutcome = true
            return step
        }
        delivery = .idle
        guard let handlers else { return nil }
        observers = nil
        hasCompleted = handlers.completion != nil
        return .completion(handlers)
    }

    private func step(for outcome: Outcome) -> DeliveryStep? {
        switch outcome {
        case .success(let value): (handlers?.success).map { .success(value, $0) }
        case .failure(let error) where error is CancellationError: (handlers?.cancellation).map { .cancellation($0) }
        case .failure(let error): (handlers?.error).map { .error(error, $0) }
        }
    }

    /// A handler of success threw.
    ///
    /// - Parameter error: What it threw; it goes to the error handler.
    mutating func successThrew(_ error: any Error) {
        lateError = .pending(error)
    }
}

/// The handlers of a future, one for each event.
struct FutureHandlers<Value: Sendable>: Sendable {
    typealias Succeeded = @MainActor @Sendable (Value) throws -> Void
    typealias Failed = @MainActor @Sendable (any Error) -> Void
    typealias Ended = @MainActor @Sendable () -> Void
    typealias Updated = @MainActor @Sendable (TransferTask) -> Void

    var success: Succeeded?
    var error: Failed?
    var cancellation: Ended?
    var completion: Ended?
    var updated: Updated?
}

/// Where a future is in its life.
public enum FutureStatus: Sendable, Hashable {
    /// Nothing was done yet.
    case created
    /// The work is being done.
    case started
    /// It ended with a value.
    case success
    /// It ended with an error.
    case error
    /// It was cancelled.
    case cancelled
}
