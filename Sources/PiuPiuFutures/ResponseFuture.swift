/// A value that an asynchronous operation will produce, with handlers for the outcome.
///
/// ```swift
/// dispatcher.dataFuture(from: request)
///     .then { response in try response.validated().decode(Post.self) }
///     .success { post in self.show(post) }
///     .error { error in self.show(error) }
///     .completion { self.isLoading = false }
///     .send()
/// ```
///
/// Nothing happens before ``send()`` or ``fetchResult()``. A future ends once: with a value, with an error, or by
/// cancellation. Its handlers then run on the main actor, never inside `send()`: updates first, then one of `success`,
/// `error` and `cancellation`, and `completion` last and always. Afterwards the handlers are released.
///
/// Operators such as ``then(on:_:)`` derive a new future from this one; starting the new future also starts this one.
///
/// Closures run on the actor of the code they were written in, except those of `then` and `map`, which run in the
/// background. If the chain was started on the main thread, closures that belong to no actor run on the main actor, and
/// the first closures, which make requests, run inside the call that starts the chain. A chain that was started elsewhere
/// runs to its end even if the main thread is blocked; only its handlers have to wait.
///
/// ``cancel()`` cancels the work itself: the request, and everything else in the chain, down to the socket.
public final class ResponseFuture<Success: Sendable>: Sendable {
    /// Work that ends the future by calling ``succeed(with:)``, ``fail(with:)`` or ``cancel()``.
    public typealias ActionCallback = @Sendable (ResponseFuture<Success>) throws -> Void
    /// A handler that receives the value; an error it throws is passed to the error handler.
    public typealias SuccessHandler = @MainActor @Sendable (Success) throws -> Void
    /// A handler that receives the error.
    public typealias ErrorHandler = @MainActor @Sendable (any Error) -> Void
    /// A handler that runs last.
    public typealias CompletionHandler = @MainActor @Sendable () -> Void
    /// A handler that receives the progress of the request.
    public typealias TaskCallback = @MainActor @Sendable (TransferTask) -> Void
    /// A handler that runs if the future was cancelled.
    public typealias CancellationHandler = @MainActor @Sendable () -> Void
    /// The stage of a future's lifecycle.
    public typealias Status = FutureStatus

    @usableFromInline
    let core: FutureCore

    /// Creates a future that derives from the outcome of another one.
    @usableFromInline
    convenience init(after parent: any AnyFuture, _ step: FutureCore.Step) {
        self.init(.step(parent, step))
    }

    /// Creates a future that combines the values of other futures, which run at the same time.
    convenience init(
        joining futures: [any AnyFuture],
        _ combine: @escaping @Sendable ([FutureValue]) throws -> Success
    ) {
        self.init(.join(futures) { FutureBox(try combine($0)) })
    }

    /// Creates a future of an operation that reports its progress to the future.
    convenience init(reporting operation: @escaping @Sendable (FutureContext) async throws -> Success) {
        self.init(.operation { context in FutureBox(try await operation(context)) })
    }

    /// Creates a future of an operation that a callback makes; the operation reports its progress to the future.
    convenience init(
        reporting callback: Callback<FutureContext, @Sendable (FutureContext) async throws -> Success>
    ) {
        self.init(
            .makeOperation(
                callback.map { context, callback in
                    let operation = try callback(context)
                    return { context in FutureBox(try await operation(context)) }
                }
            )
        )
    }

    init(_ work: FutureCore.Work) {
        core = FutureCore(work)
    }

    /// Creates a future from a function with callbacks.
    ///
    /// - Parameter action: Called once, inside the call that starts the future or a chain that begins with it, such as
    ///   ``send()``. It has to end the future, immediately or later, on any thread. If it throws, the future ends with
    ///   that error. If it belongs to an actor and the future is started elsewhere, it is called on that actor later. If a
    ///   callback of a chain returns the future, it runs where that callback runs.
    public convenience init(
        @_inheritActorContext action: @escaping @isolated(any) @Sendable (ResponseFuture<Success>) throws -> Void
    ) {
        self.init(
            .action(
                Callback(action).map { future, action in
                    if let future = future as? ResponseFuture<Success> { try action(future) }
                }
            )
        )
    }

    /// Creates a future from an asynchronous function.
    ///
    /// - Parameter operation: Called once, when the future is started, in a task that is cancelled with the future. A
    ///   `CancellationError` it throws counts as cancellation.
    public convenience init(_ operation: @escaping @Sendable () async throws -> Success) {
        self.init(.operation { _ in FutureBox(try await operation()) })
    }

    /// Creates a future that succeeds when it is started.
    ///
    /// Without the attribute, the compiler could take a trailing closure for the value of this initializer. The attribute
    /// makes it prefer the other initializers.
    ///
    /// - Parameter result: The value of the future.
    @_disfavoredOverload
    public convenience init(result: Success) {
        self.init(.value(FutureBox(result)))
    }

    deinit {
        core.releaseWork()
    }

    /// The stage of the future's lifecycle.
    ///
    /// It is `started` until the handler that receives the outcome has returned: `success`, `error` or `cancellation`, if it is
    /// set when the future ends. `completion` sees the final status.
    public var status: Status { core.status }

    // MARK: Starting

    /// Starts the future; does nothing if the future was already started or has ended.
    ///
    /// No handler runs before this method returns. On the main thread, the closures that make the requests of the chain
    /// run before it returns. The future stays alive until it has ended. A future that was created from an action stays
    /// alive only while the action, or work that the action began, holds a reference to it.
    public func send() {
        start()
    }

    /// Starts the future; the same as ``send()``.
    public func start() {
        core.start(self)
    }

    // MARK: Ending

    /// Ends the future with a value; does nothing if the future has ended.
    ///
    /// Use this for futures that were created from an action. If an operator created the future, work that waits for it
    /// continues only after the futures it derives from have also ended.
    ///
    /// - Parameter object: The value.
    public func succeed(with object: Success) {
        core.finish(.success(FutureBox(object)), self)
    }

    /// Ends the future with an error; does nothing if the future has ended.
    ///
    /// - Parameter error: The error; a `CancellationError` counts as cancellation.
    public func fail(with error: any Error) {
        core.finish(.failure(error), self)
    }

    /// Ends the future with a result; does nothing if the future has ended.
    ///
    /// - Parameter result: The value or the error; a `CancellationError` counts as cancellation.
    public func complete(with result: Result<Success, any Error>) {
        core.finish(result.map { FutureBox($0) }, self)
    }

    /// Cancels the future and its work: the request, and everything else in the chain.
    ///
    /// The handlers `cancellation` and then `completion` run, once. This method does nothing if the future has ended.
    public func cancel() {
        core.cancel(self)
    }

    /// Reports the progress of the work.
    ///
    /// - Parameter task: The progress; the newest replaces older progress that was not delivered.
    public func update(with task: TransferTask) {
        tell(task)
    }

    /// Starts this future, and ends another future with the same outcome.
    ///
    /// The other future also receives the progress, and cancelling it cancels this one.
    ///
    /// - Parameter other: The future to end.
    public func fulfill(_ other: ResponseFuture<Success>) {
        core.fulfill(self, other)
    }

    /// Starts this future, and ends another future with the same outcome.
    ///
    /// - Parameter other: The future to end.
    @available(*, deprecated, renamed: "fulfill(_:)")
    public func fulfill(with other: ResponseFuture<Success>) {
        fulfill(other)
    }

    /// Starts another future, and ends this one with the same outcome.
    ///
    /// - Parameter other: The future to start.
    @available(*, deprecated, message: "Use other.fulfill(self)")
    public func fulfill(by other: ResponseFuture<Success>) {
        other.fulfill(self)
    }
}

extension ResponseFuture: AnyFuture {}

extension ResponseFuture: Redacted {
    /// The status, without the value.
    package var shown: KeyValuePairs<String, Any> { ["status": status] }
}
