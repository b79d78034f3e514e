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
    /// An item together with its deadline, so that comparisons need not read items that are far apart in memory.
    @frozen
    @usableFromInline
    struct Entry {
        @usableFromInline
        var dueAt: Int64
        @usableFromInline
        let item: Item

        @inlinable
        init(dueAt: Int64, item: Item) {
            self.dueAt = dueAt
            self.item = item
        }
    }

    @usableFromInline
    var entries: [Entry] = []

    /// Creates an empty heap.
    @inlinable
    package init() {}

    /// The item that is due first.
    @inlinable
    package var first: Item? { entries.first?.item }

    /// The number of items.
    @inlinable
    package var count: Int { entries.count }

    /// Inserts an item with its due time, or moves it if it is already in the heap.
    @inlinable
    package mutating func schedule(_ item: Item, at dueAt: Int64) {
        guard let index = item.heapIndex else {
            item.dueAt = dueAt
            item.heapIndex = entries.count
            entries.append(Entry(dueAt: dueAt, item: item))
            siftUp(entries.count - 1)
            return
        }
        let isLater = dueAt > item.dueAt
        item.dueAt = dueAt
        entries[index].dueAt = dueAt
        if isLater { siftDown(index) } else { siftUp(index) }
    }

    /// Removes an item; does nothing if it is not in the heap.
    @inlinable
    package mutating func remove(_ item: Item) {
        guard let index = item.heapIndex else { return }
        item.heapIndex = nil
        let last = entries.removeLast()
        guard index < entries.count else { return }
        entries[index] = last
        last.item.heapIndex = index
        siftUp(index)
        siftDown(last.item.heapIndex ?? index)
    }

    @inlinable
    mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard entries[index].dueAt < entries[parent].dueAt else { return }
            exchange(index, parent)
            index = parent
        }
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var smallest = index
            for child in (2 * index + 1)...(2 * index + 2) where child < entries.count {
                if entries[child].dueAt < entries[smallest].dueAt { smallest = child }
            }
            guard smallest != index else { return }
            exchange(index, smallest)
            index = smallest
        }
    }

    @inlinable
    mutating func exchange(_ a: Int, _ b: Int) {
        entries.swapAt(a, b)
        entries[a].item.heapIndex = a
        entries[b].item.heapIndex = b
    }
}
