/// A dispatcher that delegates its work to a ``DispatcherCore``.
package protocol CoreDispatching: AnyObject, Sendable {
    /// The core that does the work.
    nonisolated var core: DispatcherCore { get }
}
