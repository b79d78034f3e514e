#if os(Linux)
import CurlShim
import Glibc
import Synchronization

/// What other threads ask of an event loop.
enum EventLoopCommand: Sendable {
    /// Begin an exchange.
    case start(ExchangeStart)
    /// Cancel an exchange that was begun.
    case cancel(ExchangeTicket)
    /// Go on with an exchange that was paused, in one direction.
    case resume(ExchangeTicket, TransferDirection)
    /// Refuse new exchanges, let those in flight end, then stop.
    case shutDown(CheckedContinuation<Void, Never>?)
    /// Refuse new exchanges, cancel those in flight, then stop.
    case invalidate
}

/// One of the two ways in which the bytes of an exchange move.
enum TransferDirection: Sendable {
    case sending, receiving
}

/// The executor of an event loop: a queue of actor jobs and commands, and the eventfd that wakes the loop's thread.
///
/// Waking costs a system call, so it is done once for everything that comes while the thread sleeps, and not at all
/// while it is awake.
final class EventLoopExecutor: SerialExecutor {
    enum Item: Sendable {
        case job(UnownedJob)
        case command(EventLoopCommand)
    }

    private struct Inbox {
        var items: [Item] = []
        var isSleeping = false
        var isStopped = false
    }

    /// Becomes readable when there is something to do.
    let wakeDescriptor: Int32
    private let inbox = Locked(Inbox())
    private let threadID = Atomic<UInt>(0)
    /// Whether something waits in the inbox; only a hint, for looking without the lock.
    private let hasItems = Atomic<Bool>(false)
    /// Runs the jobs that come after the thread has ended: an actor outlives its loop.
    private let afterlife = DispatchQueue(label: "PiuPiu event loop, stopped")

    /// Creates an executor.
    ///
    /// - Throws: ``TransportError`` with the code `outOfResources` where there is no descriptor left.
    init() throws {
        wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wakeDescriptor >= 0 else {
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(errno)))
        }
    }

    deinit {
        close(wakeDescriptor)
    }

    /// Hands a command over.
    ///
    /// - Parameter command: The command.
    /// - Returns: `false` where the loop has stopped and will not see it.
    func submit(_ command: EventLoopCommand) -> Bool {
        let (isAccepted, wakes) = inbox.withLock { inbox in
            guard !inbox.isStopped else { return (false, false) }
            inbox.items.append(.command(command))
            hasItems.store(true, ordering: .releasing)
            defer { inbox.isSleeping = false }
            return (true, inbox.isSleeping)
        }
        if wakes { wake() }
        return isAccepted
    }

    /// Takes a job of the actor.
    ///
    /// - Parameter job: The job.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isAccepted, wakes) = inbox.withLock { inbox in
            guard !inbox.isStopped else { return (false, false) }
            inbox.items.append(.job(job))
            hasItems.store(true, ordering: .releasing)
            defer { inbox.isSleeping = false }
            return (true, inbox.isSleeping)
        }
        if wakes { wake() }
        guard !isAccepted else { return }
        afterlife.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    // MARK: The loop's thread

    /// Makes the calling thread the loop's.
    func bindToCurrentThread() {
        threadID.store(UInt(pthread_self()), ordering: .releasing)
    }

    /// Takes everything that came in.
    ///
    /// - Parameter batch: An empty array, whose memory is used for what comes next.
    func takeItems(_ batch: inout [Item]) {
        inbox.withLock { inbox in
            inbox.isSleeping = false
            hasItems.store(false, ordering: .releasing)
            swap(&inbox.items, &batch)
        }
    }

    /// Stays awake for a moment in case something comes in.
    ///
    /// A caller that sends one request after the other is back within microseconds of the response; waking a thread that
    /// has just gone to sleep would take it longer than all the rest. The processor is given to whoever wants it.
    ///
    /// - Parameter nanoseconds: How long.
    func linger(nanoseconds: Int64) {
        let end = CurlMulti.clock() + nanoseconds
        while !hasItems.load(ordering: .acquiring), CurlMulti.clock() < end { sched_yield() }
    }

    /// Announces that the thread is about to sleep.
    ///
    /// - Returns: `false` where something came in, so that the thread must not sleep.
    func prepareToSleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isSleeping = inbox.items.isEmpty
            return inbox.isSleeping
        }
    }

    /// Accepts nothing any more.
    ///
    /// - Returns: What came in last and still has to be answered.
    func stop() -> [Item] {
        let items = inbox.withLock { inbox in
            inbox.isStopped = true
            defer { inbox.items = [] }
            return inbox.items
        }
        threadID.store(0, ordering: .releasing)
        return items
    }

    /// Lets `assumeIsolated` work on the loop's thread outside of a job.
    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "This is not the event loop's thread.")
    }

    /// Tells whether the calling thread is the loop's.
    ///
    /// - Returns: `true` on the loop's thread.
    func isIsolatingCurrentContext() -> Bool? {
        threadID.load(ordering: .acquiring) == UInt(pthread_self())
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }
}
#endif
