/// A function that makes another function asynchronous, and decides on which thread it runs.
///
/// `onMainQueue`, `onBackgroundQueue` and `onQueue(queue)` are execution contexts. Your own context is a function of the
/// same form, usually a generic one:
///
/// ```swift
/// func onRenderThread<A, B>(_ closure: @escaping (A) throws -> B) -> (A) -> Future<B> {
///     return { input in
///         let promise = Promise<B>()
///         renderThread.perform { promise.resolve { try closure(input) } }
///         return promise.future
///     }
/// }
/// ```
///
/// An error that the function throws rejects the future.
public typealias ExecutionContext = (@escaping @Sendable () throws -> Void) -> () -> Future<Void>

/// An execution context for functions that take a value, such as handlers of `onSuccess`.
public typealias ExecutionContextFor<Input> = (@escaping @Sendable (Input) throws -> Void) -> (Input) -> Future<Void>
