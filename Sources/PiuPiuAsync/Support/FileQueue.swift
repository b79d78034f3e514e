/// An executor for actors that read and write files.
///
/// It keeps a slow disk from blocking an event loop or one of the few threads that run Swift tasks.
///
/// All file queues share a few threads. With independent queues, each one could occupy a thread of its own: hundreds of
/// threads if hundreds of downloads write.
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
