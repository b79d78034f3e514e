/// A value that is only reachable under a lock.
///
/// This box is the only lock of the project. It is built on `NSLock`, because `Synchronization.Mutex` reports races that
/// do not exist under ThreadSanitizer on Linux.
///
/// Three laws: never resume a continuation inside ``withLock(_:)``, never hold the lock across a `with…Continuation`
/// call, and never call foreign code inside it.
package final class Locked<State>: @unchecked Sendable {
    // `@unchecked` is sound because every access to `state` holds `lock`.
    private let lock = NSLock()
    private var state: State

    /// Creates a box.
    ///
    /// - Parameter state: The first value.
    package init(_ state: sending State) {
        self.state = state
    }

    /// Runs a closure that has the value to itself.
    ///
    /// - Parameter body: The work; it must be short and must not suspend.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    package func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
