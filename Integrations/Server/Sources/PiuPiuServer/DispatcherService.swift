public import PiuPiuAsync
public import ServiceLifecycle

/// A service that shuts a dispatcher down when its service group does.
///
/// ```swift
/// let client = DispatcherService(dispatcher, gracePeriod: .seconds(20))
/// let group = ServiceGroup(services: [client, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// A service group shuts its services down in reverse order, each when the one after it has ended. List this service before
/// those that send requests, so that they can finish.
///
/// After graceful shutdown was triggered, new requests throw a `TransportError` with the code `shutDown`, and those in
/// progress may continue for the grace period. Whatever is left then ends with `CancellationError`.
public struct DispatcherService: Service {
    /// The dispatcher that the service shuts down.
    public let dispatcher: URLRequestDispatcher
    /// How long requests in progress may continue after graceful shutdown was triggered.
    public let gracePeriod: Duration

    /// Creates a service for a dispatcher.
    ///
    /// The dispatcher can be used before the service runs.
    ///
    /// - Parameters:
    ///   - dispatcher: The dispatcher.
    ///   - gracePeriod: How long requests in progress may continue after graceful shutdown was triggered; 30 seconds by
    ///     default.
    public init(_ dispatcher: URLRequestDispatcher, gracePeriod: Duration = .seconds(30)) {
        self.dispatcher = dispatcher
        self.gracePeriod = gracePeriod
    }

    /// Waits for graceful shutdown, shuts the dispatcher down, and returns when all its connections are closed.
    ///
    /// Cancelling the calling task, at any time, cancels all requests in progress.
    public func run() async {
        // It throws only if the task is cancelled.
        try? await gracefulShutdown()
        await withTaskCancellationHandler {
            await dispatcher.shutdown(gracePeriod: gracePeriod)
        } onCancel: {
            dispatcher.invalidateAndCancel()
        }
    }
}
