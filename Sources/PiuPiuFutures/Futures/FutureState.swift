/// The states of a future, its handlers and who waits for it: a pure value.
///
///     created ── start ──▶ started ──┐
///        └──── finish (once) ────────┴──▶ finished ── handlers ran ──▶ delivered
///
/// The first ``finish(_:)`` counts, every later one is ignored. It hands out everything that has to be told or let go of;
/// handlers run afterwards, on the main actor, one ``nextDelivery()`` after the other: the newest update, then one of
/// success, error and cancellation, then completion.
struct FutureState<Success: Sendable, Work: Sendable, Waiter: Sendable, Receiver: Sendable>: Sendable {
    typealias Outcome = Result<Success, any Error>

    private enum Phase: Sendable {
        case created(Work)
        case started
        case finished(Outcome)
    }

    private enum Delivery: Sendable {
        /// Nothing is to be delivered, or nobody has been asked to.
        case idle
        /// Somebody is on the way to the main actor.
        case scheduled
        /// Everything was delivered.
        case done
    }

    private var phase: Phase
    private var delivery = Delivery.idle
    private var waiters: [Waiter] = []
    private var receivers: [Receiver] = []
    private var cancellers: [FutureCanceller] = []
    private var pendingUpdate: TransferTask?
    /// Whether success, error or cancellation was handed out.
    private var hasDeliveredOutcome = false
    private var handlers: FutureHandlers<Success>?
    /// A handler of success that threw made an error of it.
    private var lateError: (any Error)?

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

    /// What the outside sees.
    var status: FutureStatus {
        switch phase {
        case .created: .created
        case .started: .started
        case .finished where lateError != nil: .error
        case .finished(.success): .success
        case .finished(.failure(let error)): error is CancellationError ? .cancelled : .error
        }
    }

    // MARK: Starting and ending

    enum StartAction: Sendable {
        /// Whoever asked has to do the work.
        case run(Work)
        /// It is being done, or was; nothing is to be done.
        case none
    }

    /// Starts the future, the first time.
    ///
    /// - Parameter canceller: What ends the work.
    /// - Returns: Whether there is work to be done.
    mutating func start(_ canceller: FutureCanceller?) -> StartAction {
        guard case .created(let work) = phase else { return .none }
        phase = .started
        if let canceller { cancellers.append(canceller) }
        return .run(work)
    }

    /// Adds something to end with the future when that is cancelled.
    ///
    /// - Parameter canceller: What to end.
    /// - Returns: `false` where the future has ended.
    mutating func add(_ canceller: FutureCanceller) -> Bool {
        if case .finished = phase { return false }
        cancellers.append(canceller)
        return true
    }

    struct FinishAction: Sendable {
        /// Who waits for the outcome.
        let waiters: [Waiter]
        /// The work, where it never began; only to be let go of.
        let work: Work?
        /// What ends the work, where it may still run.
        let cancellers: [FutureCanceller]
        /// Whether somebody has to go to the main actor.
        let schedulesDelivery: Bool
    }

    /// Ends the future, the first time.
    ///
    /// - Parameter outcome: How; a failure with `CancellationError` is a cancellation.
    /// - Returns: What to do, or `nil` where it had ended before.
    mutating func finish(_ outcome: Outcome) -> FinishAction? {
        var work: Work?
        switch phase {
        case .finished: return nil
        case .created(let unstarted): work = unstarted
        case .started: break
        }
        phase = .finished(outcome)
        defer {
            waiters = []
            receivers = []
            cancellers = []
        }
        var schedulesDelivery = false
        if handlers == nil {
            if delivery == .idle { delivery = .done }
        } else if delivery == .idle {
            delivery = .scheduled
            schedulesDelivery = true
        }
        return FinishAction(
            waiters: waiters,
            work: work,
            cancellers: cancellers,
            schedulesDelivery: schedulesDelivery
        )
    }

    /// Waits for the outcome.
    ///
    /// - Parameter waiter: Who waits.
    /// - Returns: The outcome, where it is there already.
    mutating func wait(_ waiter: Waiter) -> Outcome? {
        if case .finished(let outcome) = phase { return outcome }
        waiters.append(waiter)
        return nil
    }

    // MARK: Updates

    /// Passes updates on to somebody, until the future has ended.
    ///
    /// - Parameter receiver: Who gets them.
    mutating func forward(to receiver: Receiver) {
        if case .finished = phase { return }
        receivers.append(receiver)
    }

    /// Bytes moved.
    ///
    /// - Parameter task: The newest state of the transfer; one that was not delivered is dropped.
    /// - Returns: Whether somebody has to go to the main actor, and who else is to be told.
    mutating func update(_ task: TransferTask) -> (schedulesDelivery: Bool, receivers: [Receiver]) {
        if case .finished = phase { return (false, []) }
        guard handlers?.updated != nil else { return (false, receivers) }
        pendingUpdate = task
        let schedules = delivery == .idle
        delivery = .scheduled
        return (schedules, receivers)
    }

    // MARK: Handlers

    /// Sets a handler; does nothing once the future's handlers ran.
    ///
    /// - Parameter change: Sets it.
    /// - Returns: Whether somebody has to go to the main actor, because the future has ended in the meantime.
    mutating func setHandler(_ change: (inout FutureHandlers<Success>) -> Void) -> Bool {
        guard delivery != .done || handlers == nil else { return false }
        guard !hasDeliveredOutcome else { return false }
        var new = handlers ?? FutureHandlers()
        change(&new)
        handlers = new
        guard case .finished = phase, delivery != .scheduled else { return false }
        delivery = .scheduled
        return true
    }

    enum DeliveryStep: Sendable {
        case update(TransferTask, FutureHandlers<Success>.Updated)
        case success(Success, FutureHandlers<Success>.Succeeded)
        case error(any Error, FutureHandlers<Success>.Failed)
        case cancellation(FutureHandlers<Success>.Ended)
        case completion(FutureHandlers<Success>.Ended)
    }

    /// The next handler to run.
    ///
    /// - Returns: The handler; `nil` where nothing more is to be delivered now.
    mutating func nextDelivery() -> DeliveryStep? {
        if let task = pendingUpdate {
            pendingUpdate = nil
            if !hasDeliveredOutcome, let handler = handlers?.updated { return .update(task, handler) }
        }
        guard case .finished(let outcome) = phase else {
            delivery = .idle
            return nil
        }
        if let error = lateError, let handler = handlers?.error {
            handlers?.error = nil
            return .error(error, handler)
        }
        if !hasDeliveredOutcome {
            hasDeliveredOutcome = true
            switch outcome {
            case .success(let value): if let handler = handlers?.success { return .success(value, handler) }
            case .failure(let error) where error is CancellationError:
                if let handler = handlers?.cancellation { return .cancellation(handler) }
            case .failure(let error):
                if let handler = handlers?.error { return .error(error, handler) }
            }
        }
        delivery = .done
        defer { handlers = nil }
        return (handlers?.completion).map { .completion($0) }
    }

    /// A handler of success threw.
    ///
    /// - Parameter error: What it threw; it goes to the error handler.
    mutating func successThrew(_ error: any Error) {
        lateError = error
    }
}

/// The handlers of a future, one for each event.
struct FutureHandlers<Success: Sendable>: Sendable {
    typealias Succeeded = @MainActor @Sendable (Success) throws -> Void
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
