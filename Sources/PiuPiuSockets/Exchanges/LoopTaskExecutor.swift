#if os(Linux)
/// An executor that runs the jobs of tasks on an event loop's thread.
///
/// A task on it sends its requests on this loop, without waking another thread, and gets the responses in the turn in which
/// they arrive. It retains neither the loop nor the transport: jobs that come after the loop has stopped run on the global
/// executor, so none is lost. So does the work of default actors.
package final class LoopTaskExecutor<Command: Sendable>: TaskExecutor {
    private let loop: EventLoopExecutor<Command>
    /// Told on the loop's thread about each job that took too long.
    let report: @Sendable (Duration) -> Void

    /// Creates an executor for a loop.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - report: Called on the loop's thread after a job that took too long, with its duration.
    package init(_ loop: EventLoopExecutor<Command>, report: @escaping @Sendable (Duration) -> Void) {
        self.loop = loop
        self.report = report
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The work of an actor may hold up the loop, and belongs to others too.
        guard job.isOfTask, loop.enqueue(job, of: self) else { return globalConcurrentExecutor.enqueue(job) }
    }

    /// Runs a job; the calling thread must be the loop's.
    func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
#endif
