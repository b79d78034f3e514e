/// Runs the first part of a task, up to its first suspension, on the thread that creates the task.
///
/// This avoids waking another thread for work that the caller awaits. `Task.immediate` does the same, but it returns
/// the task only after that part, so that the task could not be cancelled before.
///
/// | Slot of the thread | Enqueued job |
/// |---|---|
/// | none | goes to the global executor |
/// | open: the task is being created | is kept, because it is the first job of the task |
/// | closed: the first part runs | goes to the global executor |
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class InlineStart: TaskExecutor {
    private struct Slot {
        var job: UnownedJob?
        var isOpen = true
    }

    // All tasks share one executor, so that it outlives every job.
    private static let shared = InlineStart()

    /// The key of a thread's slot, which is on the thread's stack; `nil` if the system has no more keys.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Creates a task with an executor and runs its first part, if that is possible on the current thread.
    ///
    /// It is not possible on the main thread, whose time belongs to the caller, in a task with its own executor, and
    /// inside another first part, because the stack would grow with each. It returns whether it created the task.
    static func run(_ create: (any TaskExecutor) -> Void) -> Bool {
        guard let key, pthread_getspecific(key) == nil, isCurrentTaskOnGlobalExecutor else { return false }
        var slot = Slot()
        withUnsafeMutablePointer(to: &slot) { slot in
            pthread_setspecific(key, slot)
            defer { pthread_setspecific(key, nil) }
            create(shared)
            slot.pointee.isOpen = false
            slot.pointee.job.take()?.runSynchronously(on: shared.asUnownedTaskExecutor())
        }
        return true
    }

    private static var isCurrentTaskOnGlobalExecutor: Bool {
        withUnsafeCurrentTask { task in
            guard let task else { return false }
            return task.unownedTaskExecutor.map { $0 == shared.asUnownedTaskExecutor() } ?? true
        }
    }

    /// Keeps the first job of a task that this thread creates, and passes on every other job.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let slot = Self.key.flatMap { pthread_getspecific($0) }?.assumingMemoryBound(to: Slot.self)
        guard let slot, slot.pointee.isOpen else { return globalConcurrentExecutor.enqueue(job) }
        slot.pointee = Slot(job: job, isOpen: false)
    }
}
