#if os(Linux)
import CShims
import Glibc
import PiuPiuEngine
import Synchronization

/// A direction in which the bytes of an exchange move.
package enum TransferDirection: Sendable {
    case sending, receiving
}

/// The executor of an event loop: a queue of jobs and commands, and the eventfd that wakes the loop's thread.
///
/// Waking costs a system call. It happens once for everything that arrives while the thread sleeps, and never while the
/// thread is awake.
package final class EventLoopExecutor<Command: Sendable>: SerialExecutor {
    package enum Item: Sendable {
        /// A job of the actor.
        case job(UnownedJob)
        /// A job of a task that prefers the loop.
        case task(UnownedJob, LoopTaskExecutor<Command>)
        case command(Command)
    }

    private struct Inbox {
        var items: [Item] = []
        var isSleeping = false
        var isStopped = false
    }

    /// The eventfd that becomes readable when there is work.
    package let wakeDescriptor: Int32
    private let inbox = Locked(Inbox())
    private let threadID = Atomic<UInt>(0)
    /// Whether the inbox has items; only a hint, for checking without the lock.
    private let hasItems = Atomic<Bool>(false)
    /// The queue for jobs that arrive after the thread ends, because an actor outlives its loop.
    private let afterlife = DispatchQueue(label: "PiuPiu event loop, stopped")

    /// Creates an executor; throws ``TransportError`` with the code `outOfResources` if no descriptor is left.
    package init() throws {
        wakeDescriptor = cs_eventfd_create()
        guard wakeDescriptor >= 0 else {
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(wakeDescriptor)
    }

    /// Submits a command; returns `false` if the loop has stopped and will not receive it.
    package func submit(_ command: Command) -> Bool { append(.command(command)) }

    /// Enqueues a job of the actor.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard !append(.job(job)) else { return }
        afterlife.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Enqueues a job of a task; returns `false` if the loop has stopped and will not run it.
    func enqueue(_ job: UnownedJob, of taskExecutor: LoopTaskExecutor<Command>) -> Bool {
        append(.task(job, taskExecutor))
    }

    private func append(_ item: consuming Item) -> Bool {
        let item = item
        let (isAccepted, wakes) = inbox.withLock { inbox in
            guard !inbox.isStopped else { return (false, false) }
            inbox.items.append(item)
            hasItems.store(true, ordering: .releasing)
            defer { inbox.isSleeping = false }
            return (true, inbox.isSleeping)
        }
        if wakes { wake() }
        return isAccepted
    }

    /// Passes on what came too late for the loop: refuses commands, and lets jobs run elsewhere.
    package func passOn(_ items: [Item], refuse: (Command) -> Void) {
        for item in items {
            switch item {
            case .command(let command): refuse(command)
            case .job(let job): enqueue(ExecutorJob(job))
            case .task(let job, let taskExecutor): taskExecutor.enqueue(ExecutorJob(job))
            }
        }
    }

    // MARK: The loop's thread

    /// Makes the calling thread the loop's thread.
    package func bindToCurrentThread() {
        threadID.store(UInt(pthread_self()), ordering: .releasing)
        CurrentLoop.bind()
    }

    /// Runs a job of a task; the calling thread must be the loop's.
    func run(_ job: UnownedJob, on taskExecutor: LoopTaskExecutor<Command>) {
        CurrentLoop.executor = taskExecutor
        taskExecutor.run(job)
        CurrentLoop.executor = nil
    }

    /// Takes all items from the inbox; the batch must be empty, and its memory is reused for the next items.
    package func takeItems(_ batch: inout [Item]) {
        inbox.withLock { inbox in
            inbox.isSleeping = false
            hasItems.store(false, ordering: .releasing)
            swap(&inbox.items, &batch)
        }
    }

    /// Takes all items that arrived since ``takeItems(_:)``, and returns whether there are any; the thread must be awake.
    func takeMoreItems(_ batch: inout [Item]) -> Bool {
        guard hasItems.load(ordering: .acquiring) else { return false }
        takeItems(&batch)
        return !batch.isEmpty
    }

    /// Stays awake for a number of nanoseconds in case an item arrives.
    ///
    /// A caller that sends requests one after another returns within microseconds of the response; waking a thread that
    /// has just gone to sleep would take longer than everything else. The thread yields the processor while it waits.
    package func linger(nanoseconds: Int64) {
        let end = Reactor.clock() + nanoseconds
        while !hasItems.load(ordering: .acquiring), Reactor.clock() < end { sched_yield() }
    }

    /// Announces that the thread is about to sleep; returns `false` if an item has arrived, so the thread must not sleep.
    package func prepareToSleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isSleeping = inbox.items.isEmpty
            return inbox.isSleeping
        }
    }

    /// Announces that the thread is awake again, so that nothing wakes it.
    package func noteAwake() { inbox.withLock { $0.isSleeping = false } }

    /// Stops accepting items, and returns the last ones, which must still be answered.
    package func stop() -> [Item] {
        let items = inbox.withLock { inbox in
            inbox.isStopped = true
            defer { inbox.items = [] }
            return inbox.items
        }
        // Threads that start later may get this thread's number.
        if isCurrent { CurrentLoop.unbind() }
        threadID.store(0, ordering: .releasing)
        return items
    }

    /// Lets `assumeIsolated` work on the loop's thread outside a job.
    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "This is not the event loop's thread.")
    }

    /// Returns whether the calling thread is the loop's thread.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the calling thread is the loop's thread.
    package var isCurrent: Bool { threadID.load(ordering: .acquiring) == UInt(pthread_self()) }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }
}
#endif
