import Futuristics
import TestSupport
import Testing

/// Whether the code runs on the main queue.
///
/// On Linux, another thread than the first one can serve it.
var isOnMainQueue: Bool { DispatchQueue.isMain }

/// A queue that tests recognize.
struct NamedQueue {
    private static let key = DispatchSpecificKey<String>()

    /// The name of the queue on which the code runs.
    static var current: String? { DispatchQueue.getSpecific(key: key) }

    static func make(_ name: String) -> DispatchQueue {
        let queue = DispatchQueue(label: name)
        queue.setSpecific(key: key, value: name)
        return queue
    }
}

/// Runs a closure on a thread of its own, which it may block.
func onThread<Value>(stackSize: Int? = nil, _ body: @escaping () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }
}

private let callKey = "isInCall"

/// Whether the code runs inside the closure of ``markCall(_:)``.
var isInCall: Bool { Thread.current.threadDictionary[callKey] != nil }

/// Runs a closure, and lets code that it calls know that it is being called.
func markCall(_ body: () -> Void) {
    Thread.current.threadDictionary[callKey] = true
    body()
    Thread.current.threadDictionary[callKey] = nil
}

/// An execution context that calls a handler on the thread that calls the context.
func inPlace<A, B>(_ closure: @escaping (A) throws -> B) -> (A) -> Future<B> {
    { input in Promise<B>().resolve { try closure(input) } }
}

/// Runs a closure on the main thread.
func onMain<Value: Sendable>(_ body: @escaping @MainActor () -> Value) async -> Value {
    await MainActor.run { body() }
}

extension TimeLimitTrait.Duration {
    /// The limit that ends a test which hangs; it decides nothing else.
    static var generous: Self { .minutes(30) }
}
