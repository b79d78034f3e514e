import PiuPiuFutures

/// A callback that runs on the main actor.
public typealias MainStep<T, U> = @MainActor @Sendable (T) throws -> U
/// A callback that runs last, on the main actor.
public typealias MainAction = @MainActor @Sendable () -> Void
/// A callback that runs on the main actor in a chain sent from the main thread, and in the background otherwise.
public typealias ChainStep<T, U> = @Sendable (T) throws -> U
/// A callback that runs on the actor it was written on, or on that of a ``ChainStep``.
public typealias ActorStep<T, U> = @isolated(any) @Sendable (T) throws -> U
/// A callback that makes the next future, on the actor it was written on, or on that of a ``ChainStep``.
public typealias NextStep<T, U: Sendable> = @isolated(any) @Sendable (T) throws -> ResponseFuture<U>?

/// The common part of ``ResponseFuture`` and ``Promise``: a shell around a future of PiuPiuFutures, which does the work.
@preconcurrency public protocol FutureShell: AnyObject, Sendable {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The future that does the work, for handlers that NetworkKit did not have, such as `updated`.
    ///
    /// Its handlers `success`, `error`, `cancellation` and `completion` belong to the shell.
    var core: PiuPiuFutures.ResponseFuture<Value> { get }
    /// Whether the work is a user's action, which keeps the shell alive while it needs it.
    var isAction: Bool { get }
}

extension FutureShell {
    /// A callback that receives the error.
    public typealias ErrorHandler = (any Error) -> Void
    /// A callback that runs last.
    public typealias CompletionHandler = () -> Void

    /// Starts the work; does nothing if it was already started or has ended.
    ///
    /// No callback runs before this method returns. The object stays alive until it has ended.
    ///
    /// - Returns: This object.
    @discardableResult public func send() -> Self {
        if !isAction { keep() }
        core.start()
        return self
    }

    /// Starts the work; the same as ``send()``.
    ///
    /// - Returns: This object.
    @discardableResult public func start() -> Self { send() }

    /// Starts this object, and ends another one with the same outcome.
    ///
    /// - Parameter other: The object to end. Cancelling it cancels this one.
    public func fulfill(_ other: Self) {
        other.keep()
        core.fulfill(other.core)
    }

    /// Cancels the work: the request, and everything else in the chain.
    ///
    /// The only callback that runs is `completion`. NetworkKit itself had no way to cancel.
    public func cancel() { core.cancel() }

    /// Keeps the object alive until it has ended, so that weak references to it stay valid.
    private func keep() { _ = core.cancellation { withExtendedLifetime(self) {} } }

    /// Sets the callback that receives the error.
    ///
    /// - Parameter handler: Runs on the main actor. It is not called if the work is cancelled.
    /// - Returns: This object. A previously set callback is replaced.
    @preconcurrency public func error(_ handler: @escaping @MainActor @Sendable (any Error) -> Void) -> Self {
        with(core.error(handler))
    }

    /// Sets the callback that runs last, regardless of the outcome.
    ///
    /// - Parameter handler: Runs on the main actor, once.
    /// - Returns: This object. A previously set callback is replaced.
    @preconcurrency public func completion(_ handler: @escaping MainAction) -> Self { with(core.completion(handler)) }

    /// Returns this object after its core was changed.
    func with(_ change: PiuPiuFutures.ResponseFuture<Value>) -> Self { self }

    /// Returns a future of PiuPiuFutures with the same outcome, for migrated code.
    ///
    /// - Returns: A future that starts this object when it is sent.
    public func piuPiuFuture() -> PiuPiuFutures.ResponseFuture<Value> { core.then { $0 } }

    /// Starts the work, unless it was already started, and waits for the value.
    ///
    /// It can be called any number of times. Cancelling the calling task cancels the work.
    ///
    /// - Returns: The value; a promise has a ``PromiseOutcome``.
    /// - Throws: The error that the work ended with; `CancellationError` if it was cancelled.
    public func fetchResult() async throws -> Value { try await core.fetchResult() }
}
