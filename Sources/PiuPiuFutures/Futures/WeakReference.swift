/// A weak reference that can be stored in a constant, for the modules with older APIs.
package struct WeakReference<Object: Sendable>: Sendable {
    private struct Box { weak var object: AnyObject? }

    private let box = Locked(Box())

    /// Creates an empty reference.
    package init() {}

    /// The object; `nil` if it was released.
    package var object: Object? {
        get { box.withLock { $0.object as? Object } }
        nonmutating set { box.withLock { $0.object = newValue.map { $0 as AnyObject } } }
    }
}
