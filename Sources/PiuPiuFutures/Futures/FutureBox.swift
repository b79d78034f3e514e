/// The value of a future, regardless of its type.
///
/// The common behavior of futures is written once, without type parameters. For generic code of another module, Swift
/// looks up types at run time: with a generic core, a chain of three `then`s took 30 µs, forty times as long as a task.
@usableFromInline
typealias FutureValue = any (AnyObject & Sendable)

/// The value of a ``ResponseFuture`` with its type.
///
/// It is inlined into the user's module together with the most common operators, so that their code knows the type.
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
        // Each future creates its own boxes, so the type always matches.
        unsafeDowncast(box, to: FutureBox<Value>.self).value
    }
}
