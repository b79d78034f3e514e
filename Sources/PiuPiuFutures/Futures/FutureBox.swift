/// The value of a future, whatever its type.
///
/// What all futures do is written once, without type parameters. Swift looks types up at run time for generic code of
/// another module: a chain of three `then`s took 30 µs with a generic core, forty times as long as a task.
@usableFromInline
typealias FutureValue = any (AnyObject & Sendable)

/// The value of a ``ResponseFuture`` with its type.
///
/// It is inlined into the user's module, together with the operators that most chains have, so that these know the type.
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
