/// One iteration of a ``Transfer``: the task that does the work, and the events on their way to the iterator.
///
/// The iterator owns it. Releasing it cancels the task, which does not hold on to it.
final class TransferRun<Body: Sendable> {
    private typealias Waiter = CheckedContinuation<Void, Never>
    private typealias Feed = Locked<TransferFeed<Waiter, Response<Body>>>

    private let feed: Feed
    private let clock: TransferClock
    /// How long the request's body is; `nil` once asked.
    private var bytesToSend: (@Sendable () -> Int64?)?
    private let operation: Transfer<Body>.Operation
    private var task: Task<Void, Never>?

    init(
        _ progress: TransferProgress,
        interval: Duration,
        clock: TransferClock,
        bytesToSend: @escaping @Sendable () -> Int64?,
        operation: @escaping Transfer<Body>.Operation
    ) {
        feed = Feed(TransferFeed(progress, interval: interval))
        self.clock = clock
        self.bytesToSend = bytesToSend
        self.operation = operation
    }

    deinit {
        task?.cancel()
    }

    /// Waits for the next event.
    func next(isolation: isolated (any Actor)?) async throws -> TransferEvent<Body>? {
        if let bytesToSend = bytesToSend.take() {
            // That may have to look at files.
            let count = await FileWorker().run(bytesToSend)
            feed.withLock { $0.begin(bytesToSend: count) }
        }
        while true {
            // Asked before the task is started, so that the first progress is that of the start.
            let now = clock.now()
            let action = feed.withLock { $0.next(now: now) }
            let task = start()
            switch action {
            case .progress(let progress):
                // The end of the task says what became of it, and that nothing of it is left.
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
                    // Not before somebody waits, whom it could not wake otherwise.
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
        let new = Task { [feed, operation] in
            let reporter = TransferReporter { change in feed.withLock { $0.update(change) }?.resume() }
            let result: Result<Response<Body>, any Error>
            do {
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

    /// Waits for a reason to look at the feed again.
    ///
    /// - Parameters:
    ///   - task: The task that does the work, cancelled with the one that waits.
    ///   - onlyForEnd: Whether a change is no reason.
    ///   - isolation: Where to go on.
    ///   - began: Called once the feed has been told who waits; not where there is a reason already.
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
