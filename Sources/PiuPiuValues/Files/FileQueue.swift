/// An executor for actors that read and write files.
///
/// It keeps a slow disk from blocking an event loop or one of the few threads that run Swift tasks.
///
/// All file queues share a few threads. Independent queues could each occupy a thread: hundreds of threads if hundreds of
/// downloads write.
package final class FileQueue: SerialExecutor {
    // A hanging disk blocks the queues that share its lane, and no others.
    private static let lanes = (0..<8).map { DispatchQueue(label: "PiuPiu files \($0)") }
    private static let count = Locked(0)

    private let queue: DispatchQueue

    package init() {
        let number = Self.count.withLock { count in
            count &+= 1
            return count
        }
        queue = DispatchQueue(label: "PiuPiu file", target: Self.lanes[abs(number % Self.lanes.count)])
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Runs short file work on the file threads.
///
/// This keeps a slow disk from blocking an actor or the threads that run tasks.
package actor FileWorker {
    private let queue = FileQueue()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package init() {}

    /// Runs work on a file thread; cancelling the calling task does not interrupt it.
    package func run<Result: Sendable>(_ work: @Sendable () throws -> Result) rethrows -> Result {
        try work()
    }
}
