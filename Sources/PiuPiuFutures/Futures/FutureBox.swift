/// The value of a future, whatever its type.
///
/// The behavior that all futures share is written once, without type parameters. For generic code of another module,
/// Swift looks up types at run time: a chain of three `then`s took 30 µs with a generic core, forty times as long as a
/// task.
@usableFromInline
typealias FutureValue = any (AnyObject & Sendable)

/// The value of a ``ResponseFuture`` with its type.
///
/// It is inlined into the user's module, together with the most common operators, so that they know the type.
@usableFromInline
final class FutureBox<Value: Sendable>: Sendable {
    @usableFromInline
    let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }

    /// The value in a box, which must be a box for values of this type.
    @inlinable
    static func value(in box: FutureValue) -> Value {
        // Each future creates its own boxes, so the type is known.
        unsafeDowncast(box, to: FutureBox<Value>.self).value
    }
}
