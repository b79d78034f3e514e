/// The jobs of a task that the caller runs on its own thread, as a pure value.
///
///     active ── wait ──▶ waiting ── enqueue ──▶ active
///        └──────────────────┴── conclude ──▶ concluded
///
/// | State | A job arrives | The outcome arrives |
/// |---|---|---|
/// | active: the caller runs a job, or is about to ask for one | it is kept | kept jobs go to the pool |
/// | waiting: the caller is suspended; there are no jobs | it is kept, the caller is resumed | the caller is resumed |
/// | concluded: the caller leaves, or has left | it goes to the pool | it is refused |
///
/// Each job is handed out once: to the caller or to the pool. Cancelling the caller is no event here: it cancels the task,
/// which decides what to do, and whose next job arrives like any other.
struct CallerJobs<Job, Waiter> {
    /// What the caller does next.
    enum Step {
        /// Runs a job, and asks again.
        case run(Job)
        /// Lets other tasks have the thread, and asks again.
        case yield
        /// Suspends with ``CallerJobs/wait(_:)``, and asks again.
        case wait
        /// Leaves with the outcome.
        case leave
    }

    /// What the code that adds a job does with it.
    enum Addition {
        /// Nothing: the caller will ask for it.
        case keep
        /// Resumes the caller, which will ask for it.
        case resume(Waiter)
        /// Gives it to the pool.
        case pass
    }

    /// What the code that provides the first outcome does.
    struct Conclusion {
        /// The continuation of the suspended caller; `nil` if it asks by itself.
        var waiter: Waiter?
        /// The jobs that the caller will not run, which go to the pool.
        var jobs: [Job] = []
    }

    /// How many jobs the caller runs before it lets other tasks have the thread.
    ///
    /// A task that yields adds a job at once, and may do so until another task has done something.
    static var burst: Int { 16 }

    private var isConcluded = false
    /// The continuation of the caller; `nil` unless it is suspended.
    private var waiter: Waiter?
    /// The oldest job; usually the only one, which then needs no array.
    private var first: Job?
    /// The jobs after it, of which those before `start` are gone.
    private var others: [Job] = []
    private var start = 0
    /// How many jobs the caller has run since it last suspended.
    private var count = 0

    /// Adds a job.
    mutating func enqueue(_ job: Job) -> Addition {
        guard !isConcluded else { return .pass }
        if first == nil { first = job } else { others.append(job) }
        return waiter.take().map { .resume($0) } ?? .keep
    }

    /// Returns what the caller does next; it is not suspended, and has returned from its last job.
    mutating func next() -> Step {
        guard !isConcluded else { return .leave }
        guard first != nil else { return .wait }
        guard count < Self.burst else {
            count = 0
            return .yield
        }
        count += 1
        return removeFirst().map { .run($0) } ?? .wait
    }

    /// Suspends the caller; returns `false` if it has to ask again instead, because a job or the outcome has arrived.
    mutating func wait(_ waiter: Waiter) -> Bool {
        guard !isConcluded, first == nil else { return false }
        self.waiter = waiter
        count = 0
        return true
    }

    /// Records the outcome; returns `nil` if there was one before.
    mutating func conclude() -> Conclusion? {
        guard !isConcluded else { return nil }
        isConcluded = true
        var conclusion = Conclusion(waiter: waiter.take())
        while let job = removeFirst() { conclusion.jobs.append(job) }
        return conclusion
    }

    // MARK: The queue

    private mutating func removeFirst() -> Job? {
        let job = first
        if start < others.count {
            first = others[start]
            start += 1
        } else {
            first = nil
        }
        // Forget the jobs that are gone, at once or when they are half of all.
        if start > 0, start == others.count || start > 32 && start * 2 > others.count {
            others.removeFirst(start)
            start = 0
        }
        return job
    }
}
