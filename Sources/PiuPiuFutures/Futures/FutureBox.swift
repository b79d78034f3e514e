/// The value of a future, whatever its type.
///
/// What all futures do is written once, without type parameters: code that is generic in another module than its user's
/// looks types up while it runs, which made a chain of futures forty times as dear as a task.
typealias FutureValue = any (AnyObject & Sendable)

/// What keeps the value of a ``ResponseFuture``.
final class FutureBox<Value: Sendable>: Sendable {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// The value in a box, which must be one for values of this type.
    static func value(in box: FutureValue) -> Value {
        // Each future makes its boxes itself, so that the type is known.
        unsafeDowncast(box, to: FutureBox<Value>.self).value
    }
}
