/// Values in one box, which copies share until one of them changes.
///
/// A copy is one retain, however many values there are.
@frozen
@usableFromInline
package struct CopyOnWrite<Values: Sendable>: Sendable {
    // `@unchecked` is sound because only `values` below changes the box, and only if nothing else refers to it.
    @usableFromInline
    final class Box: @unchecked Sendable {
        // Unchecked is sound for the same reason: code that changes a box has the only reference to it.
        @exclusivity(unchecked)
        @usableFromInline
        var values: Values

        @inlinable
        init(_ values: Values) {
            self.values = values
        }
    }

    @usableFromInline
    var box: Box

    @inlinable
    package init(_ values: Values) {
        box = Box(values)
    }

    package var values: Values {
        @inlinable
        _read { yield box.values }
        @inlinable
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.values) }
            yield &box.values
        }
    }
}
