/// Runs short work with files on the threads for files, so that a slow disk holds up neither an actor nor the threads that
/// run tasks.
package actor FileWorker {
    private let queue = FileQueue()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package init() {}

    /// Runs work. Cancelling the calling task does not cut it short.
    ///
    /// - Parameter work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package func run<Result: Sendable>(_ work: @Sendable () throws -> Result) rethrows -> Result {
        try work()
    }
}
