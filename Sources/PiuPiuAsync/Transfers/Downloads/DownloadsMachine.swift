/// Plans the files of a list of downloads and buffers the events for its reader: a pure value.
///
///     preparing ── begin ──▶ running ── end ──▶ ended ── last event taken ──▶ over
///         └──────────────── end ───────────────────▲
///
/// **Files.** Each worker takes the next file until none is left, or until a failure that counts or a cancellation stops the
/// list. A worker waits while ``unreadLimit`` results are unread, so that memory stays bounded even with a slow reader.
///
/// **Events.** The first is the progress at the start, and the last one is the end. Results wait in a queue and are never
/// skipped, unless the reader is cancelled. The newest progress replaces an older unread one, and is delivered no sooner
/// than ``interval`` after the previous one.
struct DownloadsMachine<Waiter: Sendable>: Sendable {
    private enum Phase: Sendable {
        case preparing, running, ended, over
    }

    /// A reason to wake the reader; each one includes those after it.
    private enum Reason: Int, Sendable {
        case progress, result, end
    }

    /// A file's contribution to the progress.
    private struct Share: Sendable {
        var received: Int64 = 0
        var kept: Int64 = 0
        var total: Int64?
    }

    /// A file that is being downloaded.
    private struct File: Sendable {
        var progress = TransferProgress(direction: .receiving)
        var share: Share
    }

    /// The number of unread results at which no further file is started.
    static var unreadLimit: Int { 256 }

    let interval: Duration
    private let stopsAtFirstFailure: Bool
    private var phase = Phase.preparing
    private var error: (any Error)?
    private var isStopped = false

    private var expectedSizes: [Int64?] = []
    private var nextIndex = 0
    private var files: [Int: File] = [:]
    private var progress = DownloadsProgress(fileCount: 0)
    private var kept: Int64 = 0
    private var total: Int64 = 0
    private var unknownCount = 0

    private var unread: [DownloadsEvent] = []
    /// The position of the first unread result.
    private var head = 0
    private var start: DownloadsProgress?
    private var delivered: DownloadsProgress?
    private var deliveredFraction = 0.0
    private var deliveredAt = Duration.zero
    private var estimator = ThroughputEstimator()
    private var reader: (waiter: Waiter, least: Reason)?
    private var workers: [Waiter] = []
    /// Whether the timer fired before the reader waited.
    private var isTimeUp = false

    /// Creates a machine; `interval` is the minimum time between progress events.
    init(interval: Duration, stopsAtFirstFailure: Bool) {
        self.interval = interval
        self.stopsAtFirstFailure = stopsAtFirstFailure
    }

    private var unreadCount: Int { unread.count - head }

    /// The largest number of bytes that one file counts for, so that no sum overflows.
    private var largestShare: Int64 { .max / Int64(max(1, expectedSizes.count)) }

    // MARK: The workers

    /// Starts the list, given each file's length in bytes, if known; returns the reader to resume, if any.
    mutating func begin(expectedSizes: [Int64?]) -> Waiter? {
        guard case .preparing = phase else { return nil }
        phase = .running
        self.expectedSizes = expectedSizes
        progress.fileCount = expectedSizes.count
        unknownCount = expectedSizes.count { $0 == nil }
        total = expectedSizes.reduce(0) { $0 + limited($1 ?? 0) }
        publishTotal()
        start = progress
        return wakeReader(for: .result)
    }

    enum TakeAction: Hashable, Sendable {
        /// Download the file at the index.
        case start(Int)
        /// Wait until the reader has caught up.
        case wait
        /// There is nothing more to do.
        case end
    }

    /// Returns the next action of a worker, which may take the next file.
    mutating func take() -> TakeAction {
        guard case .running = phase, !isStopped, nextIndex < expectedSizes.count else { return .end }
        guard unreadCount < Self.unreadLimit else { return .wait }
        let index = nextIndex
        nextIndex += 1
        files[index] = File(share: Share(total: expectedSizes[index].map(limited)))
        return .start(index)
    }

    /// Registers a worker until the reader has caught up; returns `true` instead if the worker can ask again at once.
    mutating func wait(worker: Waiter) -> Bool {
        guard case .running = phase, !isStopped, unreadCount >= Self.unreadLimit else { return true }
        workers.append(worker)
        return false
    }

    /// Updates the progress of a file; returns the reader to resume, if any.
    mutating func update(_ index: Int, _ change: (inout TransferProgress) -> Void) -> Waiter? {
        guard var file = files[index], file.progress.advance(change) else { return nil }
        let new = Share(
            received: limited(file.progress.bytesReceived),
            kept: limited(file.progress.bytesKept),
            total: file.progress.bytesToReceive.map(limited) ?? file.share.total
        )
        replace(file.share, with: new)
        file.share = new
        files[index] = file
        return wakeReader(for: .progress)
    }

    /// Records the result of a file; returns the waiters to resume.
    ///
    /// `CancellationError` and `shutDown` are not results of the file: they mean that the dispatcher was cancelled, released or
    /// shut down, which stops the list.
    mutating func finish(_ index: Int, _ result: Result<Response<URL>, any Error>) -> [Waiter] {
        guard let file = files.removeValue(forKey: index) else { return [] }
        var new = file.share
        new.total = new.received
        replace(file.share, with: new)
        var waiters: [Waiter] = []
        switch result {
        case .success(let response):
            progress.filesSaved += 1
            unread.append(.saved(response, index: index))
        case .failure(let error) where error is CancellationError: return stop(error)
        // A graceful shutdown lets the files in progress end.
        case .failure(let error) where TransportError.Code.shutDown ~= error: return stop(error, cancelsOthers: false)
        case .failure(let error):
            progress.filesFailed += 1
            unread.append(.failed(error, index: index))
            if stopsAtFirstFailure { waiters = stop(error) }
        }
        if let reader = wakeReader(for: .result) { waiters.append(reader) }
        return waiters
    }

    /// Records that a file exists already; returns the reader to resume, if any.
    mutating func skip(_ index: Int) -> Waiter? {
        guard let file = files.removeValue(forKey: index) else { return nil }
        replace(file.share, with: Share(total: 0))
        progress.filesSkipped += 1
        return wakeReader(for: .progress)
    }

    /// Starts no further file; returns the waiters to resume.
    ///
    /// The reader gets the error at the end. If this is called several times, the first error counts.
    mutating func stop(_ error: any Error, cancelsOthers: Bool = true) -> [Waiter] {
        if self.error == nil { self.error = error }
        isStopped = true
        if cancelsOthers { self.cancelsOthers = true }
        defer { workers = [] }
        return workers
    }

    /// Whether the files in progress are cancelled.
    private(set) var cancelsOthers = false

    /// Whether the last event was delivered.
    var isOver: Bool {
        if case .over = phase { true } else { false }
    }

    /// Ends the list, after all workers have ended; returns the reader to resume, if any.
    mutating func end() -> Waiter? {
        switch phase {
        case .preparing, .running: phase = .ended
        case .ended, .over: return nil
        }
        return wakeReader(for: .end)
    }

    private func limited(_ count: Int64) -> Int64 { min(max(0, count), largestShare) }

    private mutating func replace(_ old: Share, with new: Share) {
        progress.bytesReceived += new.received - old.received
        kept += new.kept - old.kept
        total += (new.total ?? 0) - (old.total ?? 0)
        unknownCount += (new.total == nil ? 1 : 0) - (old.total == nil ? 1 : 0)
        publishTotal()
    }

    private mutating func publishTotal() {
        progress.bytesToReceive = unknownCount == 0 ? max(total, progress.bytesReceived) : nil
    }

    private mutating func wakeReader(for reason: Reason) -> Waiter? {
        guard let (waiter, least) = reader, reason.rawValue >= least.rawValue else { return nil }
        reader = nil
        return waiter
    }

    // MARK: The reader

    enum NextAction: Sendable {
        case event(DownloadsEvent)
        /// The list ended with an error.
        case failed(any Error)
        /// The last event was already delivered.
        case none
        /// Wait for a change, a result or the end.
        case wait
        /// Wait for the duration, a result or the end.
        case delay(Duration)
    }

    /// Returns the next event, or what to wait for, and the worker to resume, if any; `now` is a monotonic time.
    mutating func next(now: Duration) -> (action: NextAction, worker: Waiter?) {
        switch phase {
        case .over: return (.none, nil)
        case .preparing: return (.wait, nil)
        case .running, .ended: break
        }
        // If the list could not begin, there is no progress at the start.
        if delivered == nil, let start { return (deliver(start, now), nil) }
        let hasNews = delivered != progress
        let rest = deliveredAt + interval - now
        // Due progress comes first; otherwise many small files would crowd it out.
        if unreadCount > 0, !hasNews || rest > .zero { return takeResult() }
        if case .ended = phase, unreadCount == 0 {
            phase = .over
            if let error { return (.failed(error), nil) }
            return (.event(.finished(final())), nil)
        }
        guard hasNews else { return (.wait, nil) }
        guard rest > .zero else { return (deliver(progress, now), nil) }
        isTimeUp = false
        return (.delay(rest), nil)
    }

    /// Ends the reader, because its task was cancelled and the work has ended.
    mutating func close() {
        phase = .over
        unread = []
        head = 0
    }

    /// Registers the reader until there is a reason to ask again; returns `true` instead if there is one already.
    ///
    /// Progress is a reason only with `acceptsProgress`.
    mutating func wait(reader: Waiter, acceptsProgress: Bool) -> Bool {
        switch phase {
        case .ended, .over: return true
        case .preparing, .running: break
        }
        if isTimeUp || unreadCount > 0 || start != nil && delivered == nil {
            isTimeUp = false
            return true
        }
        if acceptsProgress, start != nil, delivered != progress { return true }
        self.reader = (reader, acceptsProgress ? .progress : .result)
        return false
    }

    /// Registers the reader until the work has ended; returns `true` instead if it has ended already.
    mutating func waitForEnd(reader: Waiter) -> Bool {
        switch phase {
        case .ended, .over: return true
        case .preparing, .running: break
        }
        self.reader = (reader, .end)
        return false
    }

    /// Ends a delay, even if the reader does not wait yet; returns the reader to resume, if any.
    mutating func wake() -> Waiter? {
        let waiter = reader?.waiter
        reader = nil
        isTimeUp = waiter == nil
        return waiter
    }

    private mutating func takeResult() -> (action: NextAction, worker: Waiter?) {
        let event = unread[head]
        head += 1
        // Move the rest only now and then, so that taking all results takes linear time.
        if head == unread.count || head >= 2 * Self.unreadLimit {
            unread.removeFirst(head)
            head = 0
        }
        return (.event(event), unreadCount < Self.unreadLimit ? workers.popLast() : nil)
    }

    private mutating func deliver(_ new: DownloadsProgress, _ now: Duration) -> NextAction {
        estimator.add(new.bytesReceived - kept, at: now)
        // A change of the speed alone does not count as progress.
        delivered = new
        deliveredAt = now
        // The progress at the start is delivered unchanged, even if bytes have arrived since.
        let isCurrent = new == progress
        var new = new
        new.bytesPerSecond = estimator.bytesPerSecond
        new.fractionOfFiles = isCurrent ? fractionOfFiles : nil
        new.leastFraction = deliveredFraction
        deliveredFraction = new.fractionCompleted ?? 0
        return .event(.progress(new))
    }

    /// The finished fraction of the files, with the parts of those in progress; `nil` if no such part is known.
    private var fractionOfFiles: Double? {
        guard progress.fileCount > 0 else { return nil }
        // Computed each time, because a running sum would accumulate rounding errors. Few files are in progress.
        let parts = files.values.reduce(0.0) { sum, file in
            guard let total = file.share.total, total > 0 else { return sum }
            return sum + min(1, Double(file.share.received) / Double(total))
        }
        // Without a part of a file, the file counts give the fraction.
        return parts > 0 ? (Double(progress.filesFinished) + parts) / Double(progress.fileCount) : nil
    }

    private func final() -> DownloadsProgress {
        var progress = progress
        progress.bytesToReceive = progress.bytesReceived
        progress.bytesPerSecond = estimator.bytesPerSecond
        return progress
    }
}
