#if os(Linux)
import Dispatch
import Synchronization

/// Hands one value from a thread to another.
final class Mailbox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Leaves the value.
    func put(_ new: Value) {
        value.withLock { $0 = new }
        semaphore.signal()
    }

    /// Waits for the value, at most five minutes.
    func take() -> Value? {
        _ = semaphore.wait(timeout: .now() + 300)
        return value.withLock { $0 }
    }
}
#endif
