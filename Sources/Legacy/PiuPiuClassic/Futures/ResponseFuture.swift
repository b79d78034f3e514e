import PiuPiuFutures

/// A value that an asynchronous operation will produce, with handlers for the outcome, as in PiuPiu 1.3.
///
/// ```swift
/// dispatcher.future(from: request).then({ response -> Post in
///     if let error = response.error { throw error }
///     return try response.decode(Post.self)
/// }).response({ post in
///     self.show(post)
/// }).error({ error in
///     self.show(error)
/// }).completion({
///     self.isLoading = false
/// }).send()
/// ```
///
/// It is a thin layer over `PiuPiuFutures.ResponseFuture`, which does all the work, and follows its rules: nothing happens
/// before ``send()``, a future ends once, its handlers run on the main actor, and ``completion(_:)`` always runs last.
/// ``cancel()`` also cancels the request.
///
/// The closures are marked `@preconcurrency`, so that code in the Swift 5 language mode needs no annotations.
@preconcurrency public final class ResponseFuture<T: Sendable>: Sendable {
    /// The type of an action; see ``init(action:)``.
    public typealias ActionCallback = (ResponseFuture<T>) throws -> Void
    /// The type of a handler that receives the value.
    public typealias SuccessHandler = (T) throws -> Void
    /// The type of a handler that receives the error.
    public typealias ErrorHandler = (any Error) -> Void
    /// The type of a handler that runs last.
    public typealias CompletionHandler = () -> Void
    /// The type of a handler that runs if the future was cancelled.
    public typealias CancellationHandler = () -> Void
    /// The type of a handler that receives the progress.
    public typealias ProgressCallback = (Float) -> Void
    /// The stage of a future's lifecycle.
    public typealias Status = FutureStatus

    /// The future of `PiuPiuFutures` that does the work; they start, end and are cancelled together.
    public let underlying: PiuPiuFutures.ResponseFuture<T>
    /// The number of parts of the progress: one, and one more for each `join` and `replace`.
    let parts: Int
    /// Distinguishes the progress that ``update(progress:)`` reports from that of other parts of a chain.
    let progressID: UUID?

    init(_ underlying: PiuPiuFutures.ResponseFuture<T>, parts: Int, progressID: UUID? = nil) {
        self.underlying = underlying
        self.parts = parts
        self.progressID = progressID
    }

    /// Creates a future from one of `PiuPiuFutures`.
    ///
    /// - Parameter future: The future, which is started with this one.
    public convenience init(_ future: PiuPiuFutures.ResponseFuture<T>) {
        self.init(future, parts: 1)
    }

    /// Creates a future from a function with callbacks.
    ///
    /// - Parameter action: Called once, inside the call that starts the future, or on the actor it was written on if that
    ///   call is made elsewhere. It has to end the future that it is given, immediately or later, on any thread. If it
    ///   throws, the future ends with that error.
    @preconcurrency public convenience init(
        @_inheritActorContext action: @escaping @isolated(any) @Sendable (ResponseFuture<T>) throws -> Void
    ) {
        let id = UUID()
        let future = PiuPiuFutures.ResponseFuture<T>(action: action) { Self($0, parts: 1, progressID: id) }
        self.init(future, parts: 1, progressID: id)
    }

    /// Creates a future from a function with callbacks; the same as ``init(action:)``.
    ///
    /// - Parameters:
    ///   - order: The number of parts of the progress that the future represents; see ``order``.
    ///   - action: Called once, where that of ``init(action:)`` is called.
    @preconcurrency public convenience init(
        order: Int,
        @_inheritActorContext action: @escaping @isolated(any) @Sendable (ResponseFuture<T>) throws -> Void
    ) {
        let id = UUID()
        let future = PiuPiuFutures.ResponseFuture<T>(action: action) { Self($0, parts: order, progressID: id) }
        self.init(future, parts: order, progressID: id)
    }

    // A trailing closure could also be passed here, as a value. The attribute makes the compiler prefer the other
    // initializers.
    /// Creates a future that succeeds when it is started.
    ///
    /// - Parameter result: The value of the future.
    @_disfavoredOverload public convenience init(result: T) {
        self.init(PiuPiuFutures.ResponseFuture(result: result), parts: 1)
    }

    /// Creates a future that succeeds when it is started; the same as ``init(result:)``.
    ///
    /// - Parameters:
    ///   - order: The number of parts of the progress that the future represents; see ``order``.
    ///   - result: The value of the future.
    @_disfavoredOverload public convenience init(order: Int, result: T) {
        self.init(PiuPiuFutures.ResponseFuture(result: result), parts: order)
    }

    /// The number of parts of the progress: one, and one more for each `join` and `replace` that led to this future.
    public var order: Int { parts }

    /// The stage of the future's lifecycle.
    public var status: Status { underlying.status }

    // MARK: Starting

    /// Starts the future; does nothing if the future was already started or has ended.
    ///
    /// No handler runs before this method returns. A request runs to its end even if this object is released. An action,
    /// or the work that it began, has to hold the future that it was given.
    ///
    /// - Returns: This future, so that a chain that ends with `send()` can be stored.
    @discardableResult public func send() -> ResponseFuture<T> {
        underlying.send()
        return self
    }

    /// Starts the future; the same as ``send()``.
    ///
    /// - Returns: This future.
    @discardableResult public func start() -> ResponseFuture<T> {
        send()
    }

    /// Starts the future, unless it was already started, and waits for its value.
    ///
    /// It can be called any number of times and always returns the same value. Handlers that were set still run.
    /// Cancelling the calling task cancels the future.
    ///
    /// - Returns: The value.
    /// - Throws: The error the future ended with; `CancellationError` if it was cancelled.
    public func fetchResult() async throws -> T {
        try await underlying.fetchResult()
    }

    // MARK: Ending

    /// Ends the future with a value; does nothing if the future has ended.
    ///
    /// - Parameter object: The value.
    public func succeed(with object: T) {
        underlying.succeed(with: object)
    }

    /// Ends the future with an error; does nothing if the future has ended.
    ///
    /// - Parameter error: The error; a `CancellationError` counts as cancellation.
    public func fail(with error: any Error) {
        underlying.fail(with: error)
    }

    /// Cancels the future and its work: the request, and everything else in the chain.
    ///
    /// The cancellation handler and then the completion handler run, once. This method does nothing if the future has
    /// ended.
    public func cancel() {
        underlying.cancel()
    }

    /// Starts this future, and ends another future with the same outcome.
    ///
    /// The other future also receives the progress, and cancelling it cancels this one.
    ///
    /// - Parameter future: The future to end.
    public func fulfill(_ future: ResponseFuture<T>) {
        underlying.fulfill(future.underlying)
    }

    /// Starts another future, and ends this one with the same outcome.
    ///
    /// - Parameter future: The future to start.
    public func fulfill(with future: ResponseFuture<T>) {
        future.fulfill(self)
    }
}
