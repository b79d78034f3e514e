/// The success and failure callbacks of a promise, for the modules with older APIs.
///
/// The future of the promise owns them, and releases them after they have run; the promise refers to them weakly.
package final class PromiseCallbacks<T: Sendable, E: Sendable>: Sendable {
    /// One callback for each outcome that is not an error.
    package typealias Pair = (
        success: (@MainActor @Sendable (T) throws -> Void)?, failure: (@MainActor @Sendable (E) throws -> Void)?
    )

    private let pair = Locked((nil, nil) as Pair)

    /// Creates a pair without callbacks.
    package init() {}

    /// Replaces each callback for which the pair has a new one.
    package func set(_ new: Pair) {
        let replaced = pair.withLock { pair in
            defer { pair = (new.success ?? pair.success, new.failure ?? pair.failure) }
            return pair
        }
        // Released outside the lock, because it may be the last reference to an object whose deinit uses the promise.
        withExtendedLifetime(replaced) {}
    }

    /// Calls the success callback.
    @MainActor package func succeed(with object: T) throws { try pair.withLock { $0.success }?(object) }

    /// Calls the failure callback.
    @MainActor package func fail(with object: E) throws { try pair.withLock { $0.failure }?(object) }
}
