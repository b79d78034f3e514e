/// The events of one transfer on their way to the reader: a pure value.
///
///     running ── finish ──▶ finished ── last progress taken ──▶ ending ── result taken ──▶ over
///
/// The first event is the progress at the start, the last is the result. In between, the newest progress replaces an
/// older one that was not read, and comes no sooner than ``interval`` after the one before. After a success, the last
/// progress is always given.
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
    /// Whether time was up for which nobody had begun to wait.
    private var isTimeUp = false

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - progress: The progress at the start.
    ///   - interval: The least time from one progress to the next.
    init(_ progress: TransferProgress, interval: Duration) {
        start = progress
        self.progress = progress
        self.interval = interval
    }

    // MARK: The transfer

    /// Notes how long the request's body is, before the transfer starts.
    ///
    /// - Parameter bytesToSend: How many bytes it has; `nil` if that is not known.
    mutating func begin(bytesToSend: Int64?) {
        start.bytesToSend = bytesToSend
        progress.bytesToSend = bytesToSend
    }

    /// Bytes moved, or a length became known.
    ///
    /// Counts that go backwards, and totals that are forgotten or grow, are those of a new attempt; they are left out.
    ///
    /// - Parameter change: What changes.
    /// - Returns: Who waits for it.
    mutating func update(_ change: (inout TransferProgress) -> Void) -> Waiter? {
        guard case .running = phase, progress.advance(change) else { return nil }
        return take(for: .change)
    }

    /// The transfer has ended.
    ///
    /// - Parameter result: How.
    /// - Returns: Who waits.
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
        /// There was a last event before.
        case none
        /// Wait for a change or for the end.
        case wait
        /// Wait that long, or for the end.
        case delay(Duration)
    }

    /// Asks for the next event.
    ///
    /// - Parameter now: The present, on a clock that does not go backwards.
    /// - Returns: An event, or what to wait for.
    mutating func next(now: Duration) -> NextAction {
        // However far a fast transfer has come before somebody asks.
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

    /// Keeps somebody until there is a reason to ask again.
    ///
    /// - Parameters:
    ///   - waiter: Who waits.
    ///   - onlyForEnd: Whether a change is no reason.
    /// - Returns: Whether there is a reason already.
    mutating func wait(_ waiter: Waiter, onlyForEnd: Bool) -> Bool {
        guard case .running = phase, !isTimeUp else {
            isTimeUp = false
            return true
        }
        if !onlyForEnd, delivered.map({ !$0.hasSameCounts(as: progress) }) ?? true { return true }
        self.waiter = (waiter, onlyForEnd ? .end : .change)
        return false
    }

    /// The time is up for which somebody waits, or is about to.
    ///
    /// - Returns: Who waits.
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
