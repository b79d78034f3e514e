@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension URLRequestDispatcher {
    /// An executor that runs the jobs of tasks on the dispatcher's event loop (SE-0417); `nil` if the transport has no event loop.
    ///
    /// A task on it needs no other thread for its requests: it sends them and receives their responses on the loop's thread. That
    /// saves much of the processor time of small requests.
    ///
    /// ```swift
    /// let posts: [Post] = try await withTaskExecutorPreference(api.taskExecutor) {
    ///     try await api.get("/posts")
    /// }
    /// ```
    ///
    /// The loop is one thread, which serves all connections: use it for tasks that mainly wait, as those of a gateway, a crawler or
    /// a load generator do, and not for work that computes for long or blocks; see <doc:TaskExecutors>. A job that takes 50
    /// milliseconds or more is reported to the observers as ``EventLoopEvent/Kind/heldUp(_:)``. Code that is isolated to an actor,
    /// such as the main actor, stays there.
    ///
    /// With several loops (``TransportConfiguration/eventLoops``), this is the loop on which the calling task runs, or else the next
    /// one in turn; ``taskExecutors`` has them all. A task sends its requests on the loop it runs on.
    ///
    /// The executor does not keep the dispatcher alive. When the loop has ended, after a shutdown or because the dispatcher was
    /// released, tasks continue on the global executor. On Apple systems, the default transport has no loop of its own.
    public nonisolated var taskExecutor: (any TaskExecutor)? { core.taskExecutor }

    /// The executors of all event loops, to spread tasks over them; empty if the transport has no event loop.
    ///
    /// See ``taskExecutor``, and <doc:TaskExecutors> for a sample.
    public nonisolated var taskExecutors: [any TaskExecutor] { core.taskExecutors }
}
