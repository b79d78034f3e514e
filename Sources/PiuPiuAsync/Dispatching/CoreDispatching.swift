/// A dispatcher whose work is done by a ``DispatcherCore``.
package protocol CoreDispatching: AnyObject, Sendable {
    /// What does the work.
    nonisolated var core: DispatcherCore { get }
}
