import PiuPiuFutures

/// Makes a function run on a queue.
///
/// - Parameters:
///   - queue: The queue.
///   - delay: The delay in seconds; `nil`, the default, for none. On the main queue, a function without a delay runs at once
///     if it is called on the main thread.
/// - Returns: A function that makes another one run on the queue: an execution context.
@preconcurrency public func onQueue<A: Sendable, B: Sendable>(
    _ queue: DispatchQueue,
    after delay: Double? = nil
) -> @Sendable (@escaping @Sendable (A) throws -> B) -> @Sendable (A) -> Future<B> {
    { closure in { input in perform(on: queue, after: delay) { try closure(input) } } }
}

/// Makes a function without parameters run on a queue.
///
/// - Parameters:
///   - queue: The queue.
///   - delay: The delay in seconds; `nil`, the default, for none. On the main queue, a function without a delay runs at once
///     if it is called on the main thread.
/// - Returns: A function that makes another one run on the queue: an execution context.
@preconcurrency public func onQueue<B: Sendable>(
    _ queue: DispatchQueue,
    after delay: Double? = nil
) -> @Sendable (@escaping @Sendable () throws -> B) -> @Sendable () -> Future<B> {
    { closure in { perform(on: queue, after: delay, closure) } }
}

/// Makes a function run on a queue.
///
/// - Parameters:
///   - queue: The queue.
///   - closure: The function.
/// - Returns: A function whose future has the value of `closure`, or the error that it throws.
@preconcurrency public func onQueue<A: Sendable, B: Sendable>(
    _ queue: DispatchQueue,
    closure: @escaping @Sendable (A) throws -> B
) -> @Sendable (A) -> Future<B> {
    onQueue(queue)(closure)
}

/// Makes a function run on a background queue.
///
/// - Parameter closure: The function. It runs on the global queue for user-initiated work, as in Futuristics until 0.2.4.
/// - Returns: A function whose future has the value of `closure`, or the error that it throws.
@preconcurrency public func onBackgroundQueue<A: Sendable, B: Sendable>(
    _ closure: @escaping @Sendable (A) throws -> B
) -> @Sendable (A) -> Future<B> {
    onBackgroundQueue(after: nil)(closure)
}

/// Makes a function without parameters run on a background queue.
///
/// - Parameter closure: The function. It runs on the global queue for user-initiated work, as in Futuristics until 0.2.4.
/// - Returns: A function whose future has the value of `closure`, or the error that it throws.
@preconcurrency
public func onBackgroundQueue<B: Sendable>(_ closure: @escaping @Sendable () throws -> B) -> @Sendable () -> Future<B> {
    onBackgroundQueue(after: nil)(closure)
}

/// Makes a function run on a background queue, after a delay.
///
/// - Parameter delay: The delay in seconds; `nil` for none.
/// - Returns: A function that makes another one run on the queue: an execution context.
@preconcurrency public func onBackgroundQueue<A: Sendable, B: Sendable>(
    after delay: Double?
) -> @Sendable (@escaping @Sendable (A) throws -> B) -> @Sendable (A) -> Future<B> {
    onQueue(.global(qos: .userInitiated), after: delay)
}

/// Makes a function without parameters run on a background queue, after a delay.
///
/// - Parameter delay: The delay in seconds; `nil` for none.
/// - Returns: A function that makes another one run on the queue: an execution context.
@preconcurrency public func onBackgroundQueue<B: Sendable>(
    after delay: Double?
) -> @Sendable (@escaping @Sendable () throws -> B) -> @Sendable () -> Future<B> {
    onQueue(.global(qos: .userInitiated), after: delay)
}

/// Runs a closure on a queue, or at once for the main queue if this is the main thread and there is no delay.
///
/// A delay is in seconds; with one, even `0`, the closure never runs at once.
func perform<B: Sendable>(
    on queue: DispatchQueue,
    after delay: Double?,
    _ work: @escaping @Sendable () throws -> B
) -> Future<B> {
    let promise = Promise<B>()
    let resolve = { @Sendable () -> Void in promise.resolve(work) }
    if let delay {
        queue.asyncAfter(deadline: .now() + delay, execute: resolve)
    } else if queue.getSpecific(key: MainThread.key) == true, MainThread.isCurrent {
        resolve()
    } else {
        queue.async(execute: resolve)
    }
    return promise.future
}
