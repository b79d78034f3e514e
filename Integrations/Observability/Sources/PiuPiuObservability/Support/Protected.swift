import Foundation

/// A value that is accessible only under a lock.
///
/// PiuPiu's own lock is not visible in this package, and `Mutex` needs newer systems than PiuPiu.
final class Protected<State>: @unchecked Sendable {
    // `@unchecked` is sound because every access to the state holds the lock.
    private let lock = NSLock()
    private var state: State

    init(_ state: State) { self.state = state }

    /// Calls a closure with the state, which must not call foreign code.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }
}
