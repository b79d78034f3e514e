/// The value of a future, whatever its type.
///
/// What all futures do is written once, without type parameters: code that is generic in another module than its user's
/// looks types up while it runs, which made a chain of futures forty times as dear as a task.
@usableFromInline
typealias FutureValue = any (AnyObject & Sendable)

/// What keeps the value of a ``ResponseFuture``.
///
/// It can be inlined into the user's module, together with the operators that every chain has, so that these know the type.
@usableFromInline
final class FutureBox<Value: Sendable>: Sendable {
    @usableFromInline
    let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }

    /// The value in a box, which must be one for values of this type.
    @inlinable
    static func value(in box: FutureValue) -> Value {
        // Each future makes its boxes itself, so that the type is known.
        unsafeDowncast(box, to: FutureBox<Value>.self).value
    }
}
