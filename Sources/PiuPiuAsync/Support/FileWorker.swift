/// Runs short file work on the file threads.
///
/// This keeps a slow disk from blocking an actor or the threads that run tasks.
package actor FileWorker {
    private let queue = FileQueue()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package init() {}

    /// Runs work on a thread for files.
    ///
    /// Cancelling the calling task does not cut it short.
    ///
    /// - Parameter work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package func run<Result: Sendable>(_ work: @Sendable () throws -> Result) rethrows -> Result {
        try work()
    }
}
