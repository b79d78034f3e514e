/// An executor for actors that read and write files, so that a slow disk holds up nobody else: not an event loop, and not
/// one of the few threads that run Swift's tasks.
///
/// All of them together have a few threads. A queue of its own for each would have a thread of its own at work, hundreds
/// of them where hundreds of downloads write.
package final class FileQueue: SerialExecutor {
    // A disk that hangs holds up what shares its lane, and no other.
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
