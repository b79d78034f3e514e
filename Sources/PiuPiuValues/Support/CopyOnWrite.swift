/// Values in one box, which copies share until one of them changes.
///
/// A copy is one retain, however many values there are.
package struct CopyOnWrite<Values: Sendable>: Sendable {
    // `@unchecked` is sound because only `values` below changes the box, and only if nothing else refers to it.
    private final class Box: @unchecked Sendable {
        // Unchecked is sound for the same reason: code that changes a box has the only reference to it.
        @exclusivity(unchecked)
        var values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    private var box: Box

    package init(_ values: Values) {
        box = Box(values)
    }

    package var values: Values {
        _read { yield box.values }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.values) }
            yield &box.values
        }
    }
}
