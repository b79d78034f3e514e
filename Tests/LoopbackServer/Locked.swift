import Foundation

/// A value that is only reachable under a lock.
final class Locked<State>: @unchecked Sendable {
    // `@unchecked` is sound because every access to `state` holds `lock`.
    private let lock = NSLock()
    private var state: State

    init(_ state: sending State) {
        self.state = state
    }

    /// Runs a closure that has the value to itself; it must be short and must not resume a continuation.
    func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
