/// Runs the first part of a task, up to where it waits, on the thread that creates the task.
///
/// This saves waking another thread for work that somebody waits for. `Task.immediate` does the same, but it returns the
/// task only after that part, and until then nothing could cancel it.
///
///     created ── enqueue ──▶ keeps the first job ── begin ──▶ passes every later job on to the global executor
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class InlineStart: TaskExecutor {
    // Sound without a lock: the thread that creates the task enqueues and begins the first job, and a task has its second
    // job only after the first.
    private nonisolated(unsafe) var first: UnownedJob?
    private nonisolated(unsafe) var hasBegun = false

    /// Whether a task may begin on the current thread, because the current task has no executor of its own.
    ///
    /// A task that began so has one. Tasks that begin inside of it begin elsewhere, or the stack would grow with each.
    static var isPossible: Bool {
        withUnsafeCurrentTask { $0.map { $0.unownedTaskExecutor == nil } ?? false }
    }

    /// Runs the first part of the task that was created with this executor.
    func begin() {
        let job = first.take()
        hasBegun = true
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Keeps the first job, and passes on the others.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if hasBegun { globalConcurrentExecutor.enqueue(job) } else { first = job }
    }
}
