/// An executor for actors that read and write files, so that a slow disk holds up nobody else: not an event loop, and not
/// one of the few threads that run Swift's tasks.
final class FileQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "PiuPiu files")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
