/// Runs a task on the thread of the caller that awaits its outcome, until the caller leaves.
///
/// A task of its own can be left behind when it hangs, but costs two changes of threads: one to start, and one for its outcome.
/// Here, the caller runs the task's jobs itself while it waits. What resumes the task resumes the caller, which then knows the
/// outcome without being resumed again. When the caller leaves early, the pool runs the rest of the task.
///
/// The jobs of child tasks arrive here too, and the caller runs them one after another; the pool runs the work of actors. A job
/// that blocks its thread blocks the caller, even at its deadline.
final class CallerDriver: Sendable {
    /// The outcome of the task; `nil` if the caller does not wait for it any longer.
    typealias Outcome = Result<TransportResponse, any Error>?
    // Checked in debug builds only, because checks allocate. `CallerJobs` hands each continuation out once.
    #if DEBUG
    private typealias Waiter = CheckedContinuation<Void, Never>
    #else
    private typealias Waiter = UnsafeContinuation<Void, Never>
    #endif

    // Guarded by the lock that the driver shares with others, which makes `nonisolated(unsafe)` sound.
    private nonisolated(unsafe) var jobs = CallerJobs<UnownedJob, Waiter>()
    /// The first outcome; written once, under the same lock, and then the caller's.
    private nonisolated(unsafe) var first: Outcome = nil

    /// Begins the task.
    ///
    /// If the caller is on an actor, or the system has no task executors, the pool runs the task: the thread of an actor, which
    /// may be the main thread, is not for interceptors.
    // Not inlined: in DispatcherCore, the check for the actor stops the compiler of Swift 6.3.1.
    @inline(never)
    func begin(
        for caller: (any Actor)?,
        _ work: sending @escaping @isolated(any) () async -> Void
    ) -> Task<Void, Never> {
        guard caller == nil, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            return Task(operation: work)
        }
        return Task(executorPreference: self, operation: work)
    }

    /// Provides the outcome; the first one counts.
    func conclude(_ outcome: Outcome) {
        let conclusion = LockStripes.withLock(of: self) {
            let conclusion = jobs.conclude()
            if conclusion != nil { first = outcome }
            return conclusion
        }
        guard let conclusion else { return }
        conclusion.waiter?.resume()
        for job in conclusion.jobs { pass(job) }
    }

    /// Waits for the first outcome, and runs the task's jobs meanwhile; must be called once.
    func outcome() async -> Outcome {
        while true {
            switch LockStripes.withLock(of: self, { jobs.next() }) {
            case .run(let job): run(job)
            case .yield: await Task.yield()
            case .wait: await wait()
            // Nothing writes it after the end.
            case .leave: return first.take()
            }
        }
    }

    private func wait() async {
        #if DEBUG
        await withCheckedContinuation { suspend($0) }
        #else
        await withUnsafeContinuation { suspend($0) }
        #endif
    }

    private func suspend(_ waiter: Waiter) {
        if !LockStripes.withLock(of: self, { jobs.wait(waiter) }) { waiter.resume() }
    }

    // MARK: Jobs

    private func run(_ job: UnownedJob) {
        // Without task executors, there are no jobs.
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    private func pass(_ job: UnownedJob) {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        globalConcurrentExecutor.enqueue(job)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension CallerDriver: TaskExecutor {
    /// Adds a job of the task or of its child tasks.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard job.isOfTask else { return pass(job) }
        switch LockStripes.withLock(of: self, { jobs.enqueue(job) }) {
        case .keep: break
        case .resume(let waiter): waiter.resume()
        case .pass: pass(job)
        }
    }
}
