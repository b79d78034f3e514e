/// A value that an asynchronous operation will produce, with handlers for its end.
///
/// ```swift
/// dispatcher.dataFuture(from: request)
///     .decoded(Post.self)
///     .success { response in self.show(response.data) }
///     .error { error in self.show(error) }
///     .completion { self.isLoading = false }
///     .send()
/// ```
///
/// Nothing happens before ``send()`` or ``fetchResult()``. A future ends once: with a value, an error, or cancelled. Then
/// its handlers run on the main actor, never inside `send()`: updates first, then one of `success`, `error` and
/// `cancellation`, and `completion` last and always. After that they are released.
///
/// Operators such as ``then(on:_:)`` make a new future of this one; starting that starts this one too. They do not wait for
/// the main actor: a chain runs to its end also while the main thread is blocked, and only handlers have to wait.
///
/// ``cancel()`` cancels the work itself: the request, and everything else in the chain, down to the socket.
public final class ResponseFuture<Success: Sendable>: Sendable {
    /// Work that ends the future by calling ``succeed(with:)``, ``fail(with:)`` or ``cancel()``.
    public typealias ActionCallback = @Sendable (ResponseFuture<Success>) throws -> Void
    /// Gets the value; what it throws goes to the error handler.
    public typealias SuccessHandler = @MainActor @Sendable (Success) throws -> Void
    /// Gets the error.
    public typealias ErrorHandler = @MainActor @Sendable (any Error) -> Void
    /// Runs last.
    public typealias CompletionHandler = @MainActor @Sendable () -> Void
    /// Gets the progress of the request.
    public typealias TaskCallback = @MainActor @Sendable (TransferTask) -> Void
    /// Runs when the future was cancelled.
    public typealias CancellationHandler = @MainActor @Sendable () -> Void
    /// Where a future is in its life.
    public typealias Status = FutureStatus

    @usableFromInline
    let core: FutureCore

    /// Creates a future of the outcome of another one.
    @usableFromInline
    convenience init(after parent: any AnyFuture, _ step: FutureCore.Step) {
        self.init(.step(parent, step))
    }

    /// Creates a future of the values of others, which run at the same time.
    convenience init(
        joining futures: [any AnyFuture],
        _ combine: @escaping @Sendable ([FutureValue]) throws -> Success
    ) {
        self.init(.join(futures) { FutureBox(try combine($0)) })
    }

    /// Creates a future of an operation that reports progress to it.
    convenience init(reporting operation: @escaping @Sendable (any AnyFuture) async throws -> Success) {
        self.init(.operation { context in FutureBox(try await operation(context.future)) })
    }

    private init(_ work: FutureCore.Work) {
        core = FutureCore(work)
    }

    /// Creates a future from a function with callbacks.
    ///
    /// - Parameter action: Called once, inside of the call that starts the future or a chain that begins with it, such as
    ///   ``send()``. It has to end the future, at once or later, on any thread. What it throws ends the future with that
    ///   error.
    public convenience init(action: @escaping ActionCallback) {
        self.init(.action { future in if let future = future as? ResponseFuture<Success> { try action(future) } })
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
    /// A trailing closure would fit here too, as a value, which is why other initialisers go first.
    ///
    /// - Parameter result: Its value.
    @_disfavoredOverload
    public convenience init(result: Success) {
        self.init(.value(FutureBox(result)))
    }

    deinit {
        core.releaseWork()
    }

    /// Where the future is in its life.
    public var status: Status { core.status }

    // MARK: Starting

    /// Starts the future; does nothing where it was started before, or has ended.
    ///
    /// No handler runs before this returns. The future stays alive until it has ended; one that was made from an action
    /// only as long as the action, or what it began, holds on to it.
    public func send() {
        start()
    }

    /// Starts the future; the same as ``send()``.
    public func start() {
        core.start(self)
    }

    // MARK: Ending

    /// Ends the future with a value; does nothing where it has ended.
    ///
    /// This is for futures that were made from an action. Where operators made it, what waits for it goes on when the
    /// futures it was made of have ended too.
    ///
    /// - Parameter object: The value.
    public func succeed(with object: Success) {
        core.finish(.success(FutureBox(object)))
    }

    /// Ends the future with an error; does nothing where it has ended.
    ///
    /// - Parameter error: The error; a `CancellationError` counts as cancellation.
    public func fail(with error: any Error) {
        core.finish(.failure(error))
    }

    /// Ends the future; does nothing where it has ended.
    ///
    /// - Parameter result: How.
    public func complete(with result: Result<Success, any Error>) {
        core.finish(result.map { FutureBox($0) })
    }

    /// Cancels the future and its work: the request, and everything else in the chain.
    ///
    /// `cancellation` and then `completion` run, once. Does nothing where the future has ended.
    public func cancel() {
        core.cancel()
    }

    /// Tells the progress of the work.
    ///
    /// - Parameter task: How far it has come; the newest replaces one that was not delivered.
    public func update(with task: TransferTask) {
        tell(task)
    }

    /// Starts this future, and ends another one as it ends.
    ///
    /// Progress and cancellation are passed on too: cancelling the other one cancels this one.
    ///
    /// - Parameter other: The future to end.
    public func fulfill(_ other: ResponseFuture<Success>) {
        core.fulfill(self, other)
    }

    /// Starts this future, and ends another one as it ends.
    ///
    /// - Parameter other: The future to end.
    @available(*, deprecated, renamed: "fulfill(_:)")
    public func fulfill(with other: ResponseFuture<Success>) {
        fulfill(other)
    }

    /// Starts another future, and ends this one as it ends.
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
