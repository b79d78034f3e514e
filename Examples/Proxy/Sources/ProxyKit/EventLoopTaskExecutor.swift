public import NIOCore

/// Runs tasks on the thread of a client's connection.
///
/// A task that forwards a body waits for the upstream and for the client, and computes nothing: on the client's thread, what it
/// writes passes on at once, without another thread that must be woken for each piece.
public final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    /// Creates an executor.
    ///
    /// - Parameter eventLoop: The thread.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs a job of a task.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
