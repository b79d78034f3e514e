/// One iteration of a ``Transfer``: the task that does the work, and the events for the iterator.
///
/// The iterator owns the run. Releasing the run cancels the task, which does not retain the run.
final class TransferRun<Body: Sendable> {
    private typealias Waiter = CheckedContinuation<Void, Never>
    private typealias Feed = Locked<TransferFeed<Waiter, Response<Body>>>

    private let feed: Feed
    private let clock: TransferClock
    /// Returns the length of the request's body; `nil` after it was called.
    private var bytesToSend: (@Sendable () -> Int64?)?
    /// Whether determining the length accesses files.
    private let looksAtFiles: Bool
    private let operation: Transfer<Body>.Operation
    private var task: Task<Void, Never>?

    init(
        _ progress: TransferProgress,
        interval: Duration,
        clock: TransferClock,
        bytesToSend: @escaping @Sendable () -> Int64?,
        looksAtFiles: Bool,
        operation: @escaping Transfer<Body>.Operation
    ) {
        feed = Feed(TransferFeed(progress, interval: interval))
        self.clock = clock
        self.bytesToSend = bytesToSend
        self.looksAtFiles = looksAtFiles
        self.operation = operation
    }

    deinit {
        task?.cancel()
    }

    /// Waits for the next event.
    func next(isolation: isolated (any Actor)?) async throws -> TransferEvent<Body>? {
        if let bytesToSend = bytesToSend.take() {
            let count = looksAtFiles ? await FileWorker().run(bytesToSend) : bytesToSend()
            feed.withLock { $0.begin(bytesToSend: count) }
        }
        while true {
            // Take the action before the task starts, so that the first progress is the one at the start.
            let now = clock.now()
            let action = feed.withLock { $0.next(now: now) }
            let task = start()
            switch action {
            case .progress(let progress):
                // Wait for the task to end: its result tells what happened, and none of its work is left running.
                guard !Task.isCancelled else {
                    task.cancel()
                    await wait(for: task, onlyForEnd: true, isolation: isolation)
                    continue
                }
                return .progress(progress)
            case .finished(let result): return .finished(try result.get())
            case .none: return nil
            case .wait: await wait(for: task, isolation: isolation)
            case .delay(let duration):
                var timer: Task<Void, Never>?
                await wait(for: task, onlyForEnd: true, isolation: isolation) {
                    // Start the timer only after a waiter is registered; otherwise it would have nothing to wake.
                    timer = Task { [feed, clock] in
                        try? await clock.sleep(duration)
                        feed.withLock { $0.wake() }?.resume()
                    }
                }
                timer?.cancel()
            }
        }
    }

    private func start() -> Task<Void, Never> {
        if let task { return task }
        // The new task may begin the transfer before it learns of a cancellation.
        let isCancelled = Task.isCancelled
        let new = Task.besideCaller { [feed, operation] in
            let reporter = TransferReporter { change in feed.withLock { $0.update(change) }?.resume() }
            let result: Result<Response<Body>, any Error>
            do {
                if isCancelled { throw CancellationError() }
                try Task.checkCancellation()
                result = .success(try await operation(reporter))
            } catch {
                result = .failure(error)
            }
            feed.withLock { $0.finish(result) }?.resume()
        }
        task = new
        return new
    }

    /// Waits for a reason to check the feed again; cancelling the waiting task cancels `task`.
    ///
    /// With `onlyForEnd`, changes are not a reason. `began` is called after the waiter was registered, but not if there is a
    /// reason already.
    private func wait(
        for task: Task<Void, Never>,
        onlyForEnd: Bool = false,
        isolation: isolated (any Actor)?,
        _ began: () -> Void = {}
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { (waiter: Waiter) in
                if feed.withLock({ $0.wait(waiter, onlyForEnd: onlyForEnd) }) { waiter.resume() } else { began() }
            }
        } onCancel: {
            task.cancel()
        }
    }
}
