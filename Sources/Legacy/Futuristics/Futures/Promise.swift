/// The right to end a ``Future``, once.
///
/// A function creates a promise, begins its work, and returns the promise's ``future``. The work fulfills or rejects the
/// promise, on any thread, before or after the function returns.
///
/// ```swift
/// func fetchName(_ id: Int) -> Future<String> {
///     let promise = Promise<String>()
///     DispatchQueue.global().async {
///         promise.resolve { try self.readName(id) }
///     }
///     return promise.future
/// }
/// ```
///
/// Only the first call that ends the promise has an effect.
public final class Promise<T: Sendable>: Sendable {
    /// The future that the promise ends.
    public let future = Future<T>()

    /// Creates a pending promise.
    public init() {}

    deinit { future.abandon() }

    /// Whether the promise is neither fulfilled nor rejected.
    public var isPending: Bool { future.state.isPending }

    /// Ends the future with a value, unless it has ended.
    ///
    /// No handler runs inside this call.
    ///
    /// - Parameter value: The value.
    /// - Returns: The future.
    @discardableResult public func fulfill(_ value: T) -> Future<T> { end(.success(value)) }

    /// Ends the future with an error, unless it has ended.
    ///
    /// No handler runs inside this call.
    ///
    /// - Parameter error: The error.
    /// - Returns: The future.
    @discardableResult public func reject(_ error: any Error) -> Future<T> { end(.failure(error)) }

    /// Ends the future with the value that a closure returns, or the error that it throws, unless the future has ended.
    ///
    /// - Parameter body: Makes the value; called once, inside this call, even if the future has ended.
    /// - Returns: The future.
    @discardableResult public func resolve(_ body: () throws -> T) -> Future<T> {
        end(Result(catching: body))
    }

    /// The same as ``resolve(_:)``, spelled as in Futuristics 0.3.
    ///
    /// - Parameter body: Makes the value; called once, inside this call, even if the future has ended.
    /// - Returns: The future.
    @discardableResult public func resolveWith(_ body: () throws -> T) -> Future<T> { resolve(body) }

    /// Rejects the promise with ``FutureError/unresolved`` if it is still pending.
    ///
    /// Call it at a point where the work must have ended the promise, for example in a `defer` statement. In Futuristics
    /// 0.2, this call ended the process in debug builds if the promise was pending, and did nothing in release builds.
    public func ensureResolution() { end(.failure(FutureError.unresolved)) }

    @discardableResult func end(_ outcome: Future<T>.Outcome) -> Future<T> {
        future.end(outcome)
        return future
    }

    /// Ends this promise with the outcome of a future, inside the call that ends that future, or with the error of the function
    /// that makes it.
    func follow(_ make: () throws -> Future<T>) {
        do { try make().observe { self.end($0) } } catch { reject(error) }
    }

    /// Ends this promise with the outcome of the future that a function makes from another future's value.
    ///
    /// The function is called on the main queue, and the promise ends there, as with two handlers without a context.
    func follow<A: Sendable>(_ future: Future<A>, _ next: Operand<A, Future<T>>) {
        future.observe { outcome in
            DispatchQueue.main.async {
                do {
                    try next(outcome.get()).observe { outcome in DispatchQueue.main.async { self.end(outcome) } }
                } catch {
                    self.reject(error)
                }
            }
        }
    }
}
