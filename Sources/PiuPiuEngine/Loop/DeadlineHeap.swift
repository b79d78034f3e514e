/// An item of a ``DeadlineHeap``.
@usableFromInline
package protocol DeadlineHeapItem: AnyObject {
    /// When the item is due, in nanoseconds.
    var dueAt: Int64 { get set }
    /// The item's index in the heap, maintained by the heap; `nil` outside it.
    var heapIndex: Int? { get set }
}

/// A binary heap of deadlines that removes any item in logarithmic time.
///
/// Deadlines mostly arrive in ascending order, in which case an insertion costs one comparison.
@frozen
@usableFromInline
package struct DeadlineHeap<Item: DeadlineHeapItem> {
    @usableFromInline
    var items: [Item] = []

    /// Creates an empty heap.
    @inlinable
    package init() {}

    /// The item that is due first.
    @inlinable
    package var first: Item? { items.first }

    /// The number of items.
    @inlinable
    package var count: Int { items.count }

    /// Inserts an item, or moves it if it is already in the heap.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - dueAt: When the item is due.
    @inlinable
    package mutating func schedule(_ item: Item, at dueAt: Int64) {
        guard let index = item.heapIndex else {
            item.dueAt = dueAt
            item.heapIndex = items.count
            items.append(item)
            siftUp(items.count - 1)
            return
        }
        let isLater = dueAt > item.dueAt
        item.dueAt = dueAt
        if isLater { siftDown(index) } else { siftUp(index) }
    }

    /// Removes an item; does nothing if it is not in the heap.
    ///
    /// - Parameter item: The item.
    @inlinable
    package mutating func remove(_ item: Item) {
        guard let index = item.heapIndex else { return }
        item.heapIndex = nil
        let last = items.removeLast()
        guard index < items.count else { return }
        items[index] = last
        last.heapIndex = index
        siftUp(index)
        siftDown(last.heapIndex ?? index)
    }

    @inlinable
    mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard items[index].dueAt < items[parent].dueAt else { return }
            exchange(index, parent)
            index = parent
        }
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < items.count {
                if items[child].dueAt < items[smallest].dueAt { smallest = child }
            }
            guard smallest != index else { return }
            exchange(index, smallest)
            index = smallest
        }
    }

    @inlinable
    mutating func exchange(_ a: Int, _ b: Int) {
        items.swapAt(a, b)
        items[a].heapIndex = a
        items[b].heapIndex = b
    }
}
