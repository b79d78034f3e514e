import PiuPiuFutures

/// A promise of a response: a success for a status of 1xx to 3xx, and a failure for any other status.
public typealias ResponsePromise<T: Sendable, E: Sendable> = Promise<SuccessResponse<T>, ErrorResponse<E>>

/// A value that an asynchronous operation will produce, with separate handlers for success and failure, as in PiuPiu 1.3.0.
///
/// ```swift
/// dispatcher.promise(from: request).then({ response -> Post in
///     try response.decode(Post.self)
/// }).thenFailure({ response -> Details in
///     try response.decode(Details.self)
/// }).success({ post in
///     self.show(post)
/// }).failure({ details in
///     self.show(details)
/// }).error({ error in
///     self.show(error)
/// }).completion({
///     self.isLoading = false
/// }).send()
/// ```
///
/// PiuPiu 1.3.2 deprecated it; a ``ResponseFuture`` has the response in either case. It is a thin layer over a future of
/// `PiuPiuFutures`, and follows its rules: nothing happens before ``send()``, a promise ends once, with a success, a failure
/// or an error, and its handlers run on the main actor and are then released. ``completion(_:)`` always runs last.
@preconcurrency public final class Promise<T: Sendable, E: Sendable>: Sendable {
    /// The type of an action; see ``init(action:)``.
    public typealias ActionCallback = (Promise<T, E>) throws -> Void
    /// The type of a handler that receives the value of a success.
    public typealias SuccessHandler = (T) throws -> Void
    /// The type of a handler that receives the value of a failure.
    public typealias FailureHandler = (E) throws -> Void
    /// The type of a handler that receives the error.
    public typealias ErrorHandler = (any Error) -> Void
    /// The type of a handler that runs last.
    public typealias CompletionHandler = () -> Void
    /// The stage of a promise's lifecycle: not sent, in progress, or its outcome; a cancelled promise is an `error`.
    public enum Status: Sendable, Hashable { case created, started, failure, success, error }

    /// The future of `PiuPiuFutures` that does the work; they start, end and are cancelled together.
    public let underlying: PiuPiuFutures.ResponseFuture<PromiseOutcome<T, E>>
    /// The success and failure handlers, which all objects of one promise share.
    private let callbacks: WeakReference<PromiseCallbacks<T, E>>

    private init(
        _ underlying: PiuPiuFutures.ResponseFuture<PromiseOutcome<T, E>>,
        _ callbacks: WeakReference<PromiseCallbacks<T, E>>
    ) {
        self.underlying = underlying
        self.callbacks = callbacks
    }

    /// Creates a promise from a future of `PiuPiuFutures`.
    ///
    /// - Parameter future: The future, which is started with this promise.
    public convenience init(_ future: PiuPiuFutures.ResponseFuture<PromiseOutcome<T, E>>) {
        self.init(future, WeakReference())
    }

    /// Creates a promise from a function with callbacks.
    ///
    /// - Parameter action: Called once, inside the call that starts the promise, or on the actor it was written on if that
    ///   call is made elsewhere. It has to end the promise that it receives, immediately or later, on any thread. If it
    ///   throws, the promise ends with that error.
    @preconcurrency public convenience init(
        @_inheritActorContext action: @escaping @isolated(any) @Sendable (Promise<T, E>) throws -> Void
    ) {
        let callbacks = WeakReference<PromiseCallbacks<T, E>>()
        self.init(.init(action: action) { Self($0, callbacks) }, callbacks)
    }

    /// The stage of the promise's lifecycle.
    public var status: Status {
        switch underlying.status {
        case .created: .created
        case .started: .started
        case .success: if case .success(.failure) = underlying.currentOutcome { .failure } else { .success }
        case .error, .cancelled: .error
        }
    }

    // MARK: Starting

    /// Starts the promise; does nothing if it was already started or has ended.
    ///
    /// - Returns: This promise.
    @discardableResult public func send() -> Promise<T, E> {
        underlying.send()
        return self
    }

    /// Starts the promise; the same as ``send()``.
    ///
    /// - Returns: This promise.
    @discardableResult public func start() -> Promise<T, E> { send() }

    /// Starts the promise, unless it was already started, and waits for its end.
    ///
    /// - Returns: The value of the success or of the failure.
    /// - Throws: The error the promise ended with; `CancellationError` if it was cancelled.
    public func fetchResult() async throws -> PromiseOutcome<T, E> { try await underlying.fetchResult() }

    // MARK: Ending

    /// Ends the promise with a success; does nothing if it has ended.
    ///
    /// - Parameter object: The value.
    public func succeed(with object: T) { underlying.succeed(with: .success(object)) }

    /// Ends the promise with a failure; does nothing if it has ended.
    ///
    /// - Parameter object: The value.
    public func fail(with object: E) { underlying.succeed(with: .failure(object)) }

    /// Ends the promise with an error; does nothing if it has ended.
    ///
    /// - Parameter error: The error; a `CancellationError` counts as cancellation.
    public func `catch`(_ error: any Error) { underlying.fail(with: error) }

    /// Cancels the promise and its work; the only handler that runs is `completion`.
    ///
    /// PiuPiu 1.3 itself had no way to cancel a promise.
    public func cancel() { underlying.cancel() }

    /// Starts this promise, and ends another one with the same outcome.
    ///
    /// - Parameter promise: The promise to end. Cancelling it cancels this one.
    public func fulfill(_ promise: Promise<T, E>) { underlying.fulfill(promise.underlying) }

    // MARK: Handlers

    /// Sets the handler that receives the value of a success.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error handler.
    /// - Returns: This promise. A previously set handler is replaced.
    @preconcurrency
    public func success(_ handler: @escaping @MainActor @Sendable (T) throws -> Void) -> Promise<T, E> {
        set((handler, nil))
    }

    /// Sets the handler that receives the value of a failure.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error handler.
    /// - Returns: This promise. A previously set handler is replaced.
    @preconcurrency
    public func failure(_ handler: @escaping @MainActor @Sendable (E) throws -> Void) -> Promise<T, E> {
        set((nil, handler))
    }

    /// Sets the handler that receives any error, including one that another closure of the chain threw.
    ///
    /// - Parameter handler: Runs on the main actor. It does not run if the promise is cancelled.
    /// - Returns: This promise. A previously set handler is replaced.
    @preconcurrency public func error(_ handler: @escaping @MainActor @Sendable (any Error) -> Void) -> Promise<T, E> {
        _ = underlying.error(handler)
        return self
    }

    /// Sets the handler that runs last, regardless of the outcome.
    ///
    /// - Parameter handler: Runs on the main actor, once.
    /// - Returns: This promise. A previously set handler is replaced.
    @preconcurrency public func completion(_ handler: @escaping @MainActor @Sendable () -> Void) -> Promise<T, E> {
        _ = underlying.completion(handler)
        return self
    }

    private func set(_ new: PromiseCallbacks<T, E>.Pair) -> Promise<T, E> {
        let callbacks = callbacks.object ?? PromiseCallbacks()
        callbacks.set(new)
        self.callbacks.object = callbacks
        _ = underlying.success { _ = try $0.fold(callbacks.succeed, callbacks.fail) }
        return self
    }
}
