import PiuPiuFutures

/// The success and failure callbacks of a promise.
///
/// The core of the promise owns them, and so releases them after they ran; the promise refers to them weakly.
final class PromiseCallbacks<T: Sendable, E: Sendable>: Sendable {
    typealias Pair = (success: MainStep<T, Void>?, failure: MainStep<E, Void>?)

    private let pair = Locked((nil, nil) as Pair)

    /// Replaces one of the callbacks.
    ///
    /// - Parameter new: The new callback; the other one stays.
    func set(_ new: Pair) {
        let replaced = pair.withLock { pair in
            defer { pair = (new.success ?? pair.success, new.failure ?? pair.failure) }
            return pair
        }
        // Released outside the lock: it may be the last reference to an object whose deinit uses the promise.
        withExtendedLifetime(replaced) {}
    }

    /// Calls the callback for an outcome.
    ///
    /// - Parameter outcome: The outcome.
    /// - Throws: The error that the callback throws.
    @MainActor func call(_ outcome: PromiseOutcome<T, E>) throws {
        let pair = pair.withLock { $0 }
        _ = try outcome.fold({ try pair.success?($0) }, { try pair.failure?($0) })
    }
}
