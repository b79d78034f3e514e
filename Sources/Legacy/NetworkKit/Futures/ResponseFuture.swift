import PiuPiuFutures

/// A value that a request or another operation will produce, with callbacks for the outcome.
///
/// ```swift
/// dispatcher.future(from: request)
///     .then { response -> Post in try response.decode(Post.self) }
///     .response { post in self.show(post) }
///     .error { error in self.show(error) }
///     .completion { self.isLoading = false }
///     .send()
/// ```
///
/// Nothing happens before ``FutureShell/send()``. The future ends once; later calls have no effect. Its callbacks run on
/// the main actor and are then released: `response` or `error`, and always `completion` last. After it is sent, a future
/// stays alive until it has ended.
@preconcurrency public final class ResponseFuture<T: Sendable>: FutureShell {
    /// Work that ends the future by calling ``succeed(with:)`` or ``fail(with:)``.
    public typealias ActionCallback = (ResponseFuture<T>) throws -> Void
    /// A callback that receives the value; an error it throws is passed to the error callback.
    public typealias SuccessHandler = (T) throws -> Void
    /// A callback that receives the value; the same as ``SuccessHandler``.
    public typealias ResponseHandler = SuccessHandler

    /// The future that does the work.
    public let core: PiuPiuFutures.ResponseFuture<T>
    /// Whether the work is a user's action.
    public let isAction: Bool

    init(core: PiuPiuFutures.ResponseFuture<T>) { (self.core, isAction) = (core, false) }

    /// Creates a future from a function with callbacks.
    ///
    /// - Parameter action: Called once, inside the call that sends the future or a chain that begins with it, or on the
    ///   actor it was written on if that call is made elsewhere. It has to end the future, immediately or later, on any
    ///   thread. If it throws, the future ends with that error.
    @preconcurrency public init(@_inheritActorContext action: @escaping ActorStep<ResponseFuture<T>, Void>) {
        let this = WeakReference<ResponseFuture<T>>()
        core = .init(action: action) { this.object ?? ResponseFuture(core: $0) }
        isAction = true
        this.object = self
    }

    /// Creates a future from a future of PiuPiuFutures.
    ///
    /// - Parameter future: The future, which is started when this one is sent. It keeps its own handlers.
    public convenience init(_ future: PiuPiuFutures.ResponseFuture<T>) { self.init(core: future.then { $0 }) }

    /// The stage of the future's lifecycle.
    public var status: FutureStatus { core.status }

    /// Ends the future with a value; does nothing if it has ended.
    ///
    /// - Parameter object: The value.
    public func succeed(with object: T) { core.succeed(with: object) }

    /// Ends the future with an error; does nothing if it has ended.
    ///
    /// - Parameter error: The error; a `CancellationError` counts as cancellation.
    public func fail(with error: any Error) { core.fail(with: error) }

    /// Sets the callback that receives the value.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error callback.
    /// - Returns: This future. A previously set callback is replaced.
    @preconcurrency public func response(_ handler: @escaping MainStep<T, Void>) -> Self { with(core.success(handler)) }

    /// Sets the callback that receives the value; the same as ``response(_:)``.
    ///
    /// - Parameter handler: Runs on the main actor. An error it throws is passed to the error callback.
    /// - Returns: This future. A previously set callback is replaced.
    @preconcurrency
    public func success(_ handler: @escaping MainStep<T, Void>) -> Self { response(handler) }
}
