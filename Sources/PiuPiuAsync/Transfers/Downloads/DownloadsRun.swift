/// One iteration of ``Downloads``: the task that does the work, and the events for the iterator.
///
/// The iterator owns the run. Releasing the run cancels the task, which does not retain the run. The task owns a group of
/// workers, each of which downloads one file after another.
final class DownloadsRun {
    private typealias Waiter = CheckedContinuation<Void, Never>
    private typealias Machine = Locked<DownloadsMachine<Waiter>>

    private let machine: Machine
    private let plan: Downloads.Plan
    private var task: Task<Void, Never>?

    init(_ plan: Downloads.Plan) {
        self.plan = plan
        machine = Machine(
            DownloadsMachine(interval: plan.interval, stopsAtFirstFailure: plan.stopsAtFirstFailure)
        )
    }

    deinit {
        task?.cancel()
    }

    // MARK: The reader

    /// Waits for the next event.
    func next(isolation: isolated (any Actor)?) async throws -> DownloadsEvent? {
        while true {
            if Task.isCancelled { return try await end(isolation: isolation) }
            let task = start()
            let now = plan.clock.now()
            let (action, worker) = machine.withLock { $0.next(now: now) }
            worker?.resume()
            switch action {
            case .event(let event): return event
            case .failed(let error): throw error
            case .none: return nil
            case .wait: await wait(for: task, isolation: isolation) { $0.wait(reader: $1, acceptsProgress: true) }
            case .delay(let duration):
                let timer = Task { [machine, clock = plan.clock] in
                    try? await clock.sleep(duration)
                    if !Task.isCancelled { machine.withLock { $0.wake() }?.resume() }
                }
                await wait(for: task, isolation: isolation) { $0.wait(reader: $1, acceptsProgress: false) }
                timer.cancel()
            }
        }
    }

    /// Ends the work, because the task of the reader is cancelled.
    private func end(isolation: isolated (any Actor)?) async throws -> DownloadsEvent? {
        guard !machine.withLock({ $0.isOver }) else { return nil }
        if let task {
            task.cancel()
            // Wait, so that nothing is left running when the error is thrown.
            await wait(for: task, isolation: isolation) { $0.waitForEnd(reader: $1) }
        }
        machine.withLock { $0.close() }
        throw CancellationError()
    }

    /// Waits for a reason to ask the machine again; cancelling the waiting task cancels the work.
    private func wait(
        for task: Task<Void, Never>,
        isolation: isolated (any Actor)?,
        _ register: (inout DownloadsMachine<Waiter>, Waiter) -> Bool
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { (waiter: Waiter) in
                if machine.withLock({ register(&$0, waiter) }) { waiter.resume() }
            }
        } onCancel: {
            task.cancel()
        }
    }

    // MARK: The work

    private func start() -> Task<Void, Never> {
        if let task { return task }
        let new = Task.besideCaller { [machine, plan] in
            await DownloadsRun.run(machine, plan)
        }
        task = new
        return new
    }

    private static func run(_ machine: Machine, _ plan: Downloads.Plan) async {
        await withTaskCancellationHandler {
            do {
                try Task.checkCancellation()
                let items = plan.items()
                try DownloadItem.checkDestinations(of: items)
                let sizes = items.map { $0.options?.expectedSize }
                machine.withLock { $0.begin(expectedSizes: sizes) }?.resume()
                await download(items, machine, plan)
            } catch {
                resume(machine.withLock { $0.stop(error) })
            }
        } onCancel: {
            resume(machine.withLock { $0.stop(CancellationError()) })
        }
        machine.withLock { $0.end() }?.resume()
    }

    private static func download(_ items: [DownloadItem], _ machine: Machine, _ plan: Downloads.Plan) async {
        await withTaskGroup { group in
            for _ in 0..<min(plan.maximumInFlight, items.count) {
                group.addTask { await work(items, machine, plan) }
            }
            while await group.next() != nil {
                // The other workers are still downloading.
                if machine.withLock({ $0.cancelsOthers }) { group.cancelAll() }
            }
        }
    }

    /// Downloads one file after another.
    private static func work(_ items: [DownloadItem], _ machine: Machine, _ plan: Downloads.Plan) async {
        while let index = await nextFile(machine) {
            if let skips = plan.skips, await skips(items[index]) {
                machine.withLock { $0.skip(index) }?.resume()
                continue
            }
            let reporter = TransferReporter { change in machine.withLock { $0.update(index, change) }?.resume() }
            let result: Result<Response<URL>, any Error>
            do {
                result = .success(try await plan.operation(items[index], reporter))
            } catch {
                result = .failure(error)
            }
            resume(machine.withLock { $0.finish(index, result) })
        }
    }

    private static func nextFile(_ machine: Machine) async -> Int? {
        while true {
            switch machine.withLock({ $0.take() }) {
            case .start(let index): return index
            case .end: return nil
            case .wait:
                await withCheckedContinuation { (waiter: Waiter) in
                    if machine.withLock({ $0.wait(worker: waiter) }) { waiter.resume() }
                }
            }
        }
    }

    private static func resume(_ waiters: [Waiter]) {
        for waiter in waiters { waiter.resume() }
    }
}
