/// Buffers the events of one transfer for its reader: a pure value.
///
///     running ── finish ──▶ finished ── last progress taken ──▶ ending ── result taken ──▶ over
///
/// The first event is the progress at the start, and the last one is the result. In between, the newest progress
/// replaces an older unread one, and is delivered no sooner than ``interval`` after the previous one. After a success,
/// the final progress is always delivered.
struct TransferFeed<Waiter: Sendable, Output: Sendable>: Sendable {
    private enum Phase: Sendable {
        case running
        case finished(Result<Output, any Error>)
        case over
    }

    private enum Wish {
        case change, end
    }

    let interval: Duration
    private var phase = Phase.running
    private var start: TransferProgress
    private var progress: TransferProgress
    private var delivered: TransferProgress?
    private var deliveredAt = Duration.zero
    private var estimator = ThroughputEstimator()
    private var waiter: (Waiter, Wish)?
    /// Whether the timer fired before a waiter was registered.
    private var isTimeUp = false

    /// Creates a feed with the progress at the start; `interval` is the minimum time between progress events.
    init(_ progress: TransferProgress, interval: Duration) {
        start = progress
        self.progress = progress
        self.interval = interval
    }

    // MARK: The transfer

    /// Sets the length of the request's body, if known, before the transfer starts.
    mutating func begin(bytesToSend: Int64?) {
        start.bytesToSend = bytesToSend
        progress.bytesToSend = bytesToSend
    }

    /// Updates the progress, because bytes moved or a length became known; returns the waiter to resume, if any.
    ///
    /// Counts that decrease, and totals that become unknown or grow, belong to a new attempt and are ignored.
    mutating func update(_ change: (inout TransferProgress) -> Void) -> Waiter? {
        guard case .running = phase, progress.advance(change) else { return nil }
        return take(for: .change)
    }

    /// Ends the transfer; returns the waiter to resume, if any.
    mutating func finish(_ result: Result<Output, any Error>) -> Waiter? {
        guard case .running = phase else { return nil }
        phase = .finished(result)
        if case .success = result {
            progress.bytesToSend = progress.bytesSent
            progress.bytesToReceive = progress.bytesReceived
        }
        return take(for: .end)
    }

    private mutating func take(for event: Wish) -> Waiter? {
        guard let (waiter, wish) = waiter, event == .end || wish == .change else { return nil }
        self.waiter = nil
        return waiter
    }

    // MARK: The reader

    enum NextAction: Sendable {
        case progress(TransferProgress)
        case finished(Result<Output, any Error>)
        /// The last event was already delivered.
        case none
        /// Wait for a change or for the end.
        case wait
        /// Wait for the duration, or for the end.
        case delay(Duration)
    }

    /// Returns the next event, or what to wait for; `now` is a monotonic time.
    mutating func next(now: Duration) -> NextAction {
        // The first event is the start, however far a fast transfer has advanced before the first call.
        guard let delivered else { return deliver(start, now) }
        switch phase {
        case .over: return .none
        case .finished(.failure(let error)):
            phase = .over
            return .finished(.failure(error))
        case .finished(.success(let output)):
            if !delivered.hasSameCounts(as: progress) { return deliver(progress, now) }
            phase = .over
            return .finished(.success(output))
        case .running:
            guard !delivered.hasSameCounts(as: progress) else { return .wait }
            let rest = deliveredAt + interval - now
            guard rest > .zero else { return deliver(progress, now) }
            isTimeUp = false
            return .delay(rest)
        }
    }

    /// Registers a waiter until there is a reason to ask again; returns `true` instead if there is one already.
    ///
    /// With `onlyForEnd`, changes are not a reason.
    mutating func wait(_ waiter: Waiter, onlyForEnd: Bool) -> Bool {
        guard case .running = phase, !isTimeUp else {
            isTimeUp = false
            return true
        }
        if !onlyForEnd, delivered.map({ !$0.hasSameCounts(as: progress) }) ?? true { return true }
        self.waiter = (waiter, onlyForEnd ? .end : .change)
        return false
    }

    /// Ends a delay, even if its waiter is not registered yet; returns the waiter to resume, if any.
    mutating func wake() -> Waiter? {
        let waiter = waiter.take()?.0
        isTimeUp = waiter == nil
        return waiter
    }

    private mutating func deliver(_ new: TransferProgress, _ now: Duration) -> NextAction {
        var new = new
        estimator.add(new.direction == .sending ? new.bytesSent : new.bytesReceived - new.bytesKept, at: now)
        new.bytesPerSecond = estimator.bytesPerSecond
        delivered = new
        deliveredAt = now
        return .progress(new)
    }
}

extension TransferProgress {
    fileprivate func hasSameCounts(as other: TransferProgress) -> Bool {
        bytesSent == other.bytesSent && bytesToSend == other.bytesToSend && bytesReceived == other.bytesReceived
            && bytesToReceive == other.bytesToReceive
    }
}
