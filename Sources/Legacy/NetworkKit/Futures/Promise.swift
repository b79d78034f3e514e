import PiuPiuFutures

/// A promise of a response: a success for a status of 1xx to 3xx, and a failure for any other status.
public typealias ResponsePromise<T: Sendable, E: Sendable> = Promise<SuccessResponse<T>, ErrorResponse<E>>

/// A value that a request or another operation will produce, with separate callbacks for success and failure.
///
/// ```swift
/// dispatcher.promise(from: request)
///     .then { response -> Post in try response.decode(Post.self) }
///     .thenFailure { response -> Details in try response.decode(Details.self) }
///     .success { post in self.show(post) }
///     .failure { details in self.show(details) }
///     .error { error in self.show(error) }
///     .completion { self.isLoading = false }
///     .send()
/// ```
///
/// Nothing happens before ``FutureShell/send()``. A promise ends once, with a success, a failure or an error; later
/// calls have no effect. Its callbacks run on the main actor and are then released: one of `success`, `failure` and
/// `error`, and always `completion` last. After it is sent, a promise stays alive until it has ended.
@preconcurrency public final class Promise<T: Sendable, E: Sendable>: FutureShell {
    /// Work that ends the promise by calling ``succeed(with:)``, ``fail(with:)`` or ``catch(_:)``.
    public typealias ActionCallback = (Promise<T, E>) throws -> Void
    /// A callback that receives the value of a success; an error it throws is passed to the error callback.
    public typealias SuccessHandler = (T) throws -> Void
    /// A callback that receives the value of a failure; an error it throws is passed to the error callback.
    public typealias FailureHandler = (E) throws -> Void

    /// The future of PiuPiuFutures with the same outcome.
    public typealias Core = PiuPiuFutures.ResponseFuture<PromiseOutcome<T, E>>

    /// The stage of a promise's lifecycle: not sent, in progress, or its outcome; a cancelled promise is an `error`.
    public enum Status: Sendable, Hashable { case created, started, failure, success, error }

    /// The future that does the work.
    public let core: Core
    /// Whether the work is a user's action.
    public let isAction: Bool
    private let callbacks = WeakReference<PromiseCallbacks<T, E>>()

    init(core: Core) { (self.core, isAction) = (core, false) }

    /// Creates a promise from a function with callbacks.
    ///
    /// - Parameter action: Called once, inside the call that sends the promise or a chain that begins with it, or on the
    ///   actor it was written on if that call is made elsewhere. It has to end the promise, immediately or later, on any
    ///   thread. If it throws, the promise ends with that error.
    @preconcurrency public init(@_inheritActorContext action: @escaping ActorStep<Promise<T, E>, Void>) {
        let this = WeakReference<Promise<T, E>>()
        core = .init(action: action) { this.object ?? Promise(core: $0) }
        isAction = true
        this.object = self
    }

    /// Creates a promise from a future of PiuPiuFutures.
    ///
    /// - Parameter future: The future, which is started when this promise is sent. It keeps its own handlers.
    public convenience init(_ future: Core) { self.init(core: future.then { $0 }) }

    /// The stage of the promise's lifecycle.
    public var status: Status {
        switch core.status {
        case .created: .created
        case .started: .started
        case .success: if case .success(.failure) = core.currentOutcome { .failure } else { .success }
        case .error, .cancelled: .error
        }
    }

    /// Ends the promise with a success; does nothing if it has ended.
    ///
    /// - Parameter object: The value.
    public func succeed(with object: T) { core.succeed(with: .success(object)) }

    /// Ends the promise with a failure; does nothing if it has ended.
    ///
    /// - Parameter object: The value.
    public func fail(with object: E) { core.succeed(with: .failure(object)) }

    /// Ends the promise with an error; does nothing if it has ended.
    ///
    /// - Parameter error: The error; a `CancellationError` counts as cancellation.
    public func `catch`(_ error: any Error) { core.fail(with: error) }

    /// Starts this promise, and ends another one with the same outcome; the spelling of NetworkKit 4.2.
    ///
    /// - Parameter promise: The promise to end.
    public func fullfill(_ promise: Promise<T, E>) { fulfill(promise) }

    /// Sets the callback that receives the value of a success.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error callback.
    /// - Returns: This promise. A previously set callback is replaced.
    @preconcurrency
    public func success(_ handler: @escaping MainStep<T, Void>) -> Promise<T, E> { set((handler, nil)) }

    /// Sets the callback that receives the value of a failure.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error callback.
    /// - Returns: This promise. A previously set callback is replaced.
    @preconcurrency
    public func failure(_ handler: @escaping MainStep<E, Void>) -> Promise<T, E> { set((nil, handler)) }

    private func set(_ new: PromiseCallbacks<T, E>.Pair) -> Promise<T, E> {
        let callbacks = callbacks.object ?? PromiseCallbacks()
        callbacks.set(new)
        self.callbacks.object = callbacks
        return with(core.success { _ = try $0.fold(callbacks.succeed, callbacks.fail) })
    }
}
