import PiuPiuFutures

/// The main queue as an execution context: the type of ``onMainQueue``.
///
/// It is a separate type, so that the compiler knows that handlers and functions run on the main actor.
public struct MainQueue: Sendable {
    fileprivate let delay: Double?

    /// Runs a handler on the main queue, never inside this call.
    func post(_ handler: @escaping @MainActor @Sendable () -> Void) {
        let work = { @Sendable () -> Void in MainActor.assumeIsolated(handler) }
        if let delay {
            DispatchQueue.main.asyncAfter(deadline: .now() + delay, execute: work)
        } else {
            DispatchQueue.main.async(execute: work)
        }
    }

    /// Makes a function run on the main queue.
    ///
    /// - Parameter closure: The function. Without a delay, it runs at once if the new function is called on the main
    ///   thread, and later on the main queue otherwise.
    /// - Returns: A function whose future has the value of `closure`, or the error that it throws.
    @preconcurrency public func callAsFunction<A: Sendable, B: Sendable>(
        _ closure: @escaping @MainActor @Sendable (A) throws -> B
    ) -> @Sendable (A) -> Future<B> {
        { [delay] input in
            perform(on: .main, after: delay) { try MainActor.assumeIsolated { try closure(input) } }
        }
    }

    /// Makes a function without parameters run on the main queue.
    ///
    /// - Parameter closure: The function. Without a delay, it runs at once if the new function is called on the main
    ///   thread, and later on the main queue otherwise.
    /// - Returns: A function whose future has the value of `closure`, or the error that it throws.
    @preconcurrency public func callAsFunction<B: Sendable>(
        _ closure: @escaping @MainActor @Sendable () throws -> B
    ) -> @Sendable () -> Future<B> {
        { [delay] in perform(on: .main, after: delay) { try MainActor.assumeIsolated(closure) } }
    }
}

/// The main queue, as the execution context of a handler, or of a function: `onMainQueue(closure)`.
///
/// A handler runs later on the main queue, never inside the call that ends the promise or adds the handler. A function runs
/// at once if it is called on the main thread.
public let onMainQueue = MainQueue(delay: nil)

/// The main queue after a delay, as an execution context.
///
/// - Parameter delay: The delay in seconds; if it is `nil`, this is the same as ``onMainQueue``.
/// - Returns: The execution context.
public func onMainQueue(after delay: Double?) -> MainQueue { MainQueue(delay: delay) }

/// The main queue as an ``ExecutionContext``.
///
/// - Parameter closure: The function that runs on the main queue.
/// - Returns: A function whose future has the value of `closure`, or the error that it throws.
@preconcurrency @_disfavoredOverload public func onMainQueue<B: Sendable>(
    _ closure: @escaping @MainActor @Sendable () throws -> B
) -> @Sendable () -> Future<B> {
    onMainQueue(after: nil)(closure)
}
