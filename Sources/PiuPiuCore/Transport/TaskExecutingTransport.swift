/// A transport with event loops.
package protocol LoopingTransport: HTTPTransport {
    /// The number of the loop whose thread the caller is on; `nil` if it is on none.
    var currentLoop: Int? { get }

    /// Whether tasks may run on the loops, because there are executors for them.
    var hostsTasks: Bool { get }
}

/// A transport whose event loops can run the jobs of tasks.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package protocol TaskExecutingTransport: LoopingTransport {
    /// Creates an executor for each event loop; several of one loop share its thread.
    ///
    /// - Parameter report: Told on the loop's thread what happens there.
    /// - Returns: The executors, in the order of the loops.
    func taskExecutors(_ report: @escaping @Sendable (EventLoopEvent) -> Void) -> [any TaskExecutor]
}
