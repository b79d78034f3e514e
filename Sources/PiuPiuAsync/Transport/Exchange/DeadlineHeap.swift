/// Something that waits in a ``DeadlineHeap``.
protocol DeadlineHeapItem: AnyObject {
    /// When it is due, in nanoseconds.
    var dueAt: Int64 { get set }
    /// Its place in the heap, kept by the heap; `nil` outside of it.
    var heapIndex: Int? { get set }
}

/// A binary heap of deadlines from which any item can be taken out in logarithmic time.
///
/// Deadlines mostly come in rising order, for which inserting costs one comparison.
struct DeadlineHeap<Item: DeadlineHeapItem> {
    private var items: [Item] = []

    /// The item that is due first.
    var first: Item? { items.first }

    /// How many items wait.
    var count: Int { items.count }

    /// Puts an item in, or moves it when it is there.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - dueAt: When it is due.
    mutating func schedule(_ item: Item, at dueAt: Int64) {
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

    /// Takes an item out; does nothing where it is not in.
    ///
    /// - Parameter item: The item.
    mutating func remove(_ item: Item) {
        guard let index = item.heapIndex else { return }
        item.heapIndex = nil
        let last = items.removeLast()
        guard index < items.count else { return }
        items[index] = last
        last.heapIndex = index
        siftUp(index)
        siftDown(last.heapIndex ?? index)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard items[index].dueAt < items[parent].dueAt else { return }
            exchange(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
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

    private mutating func exchange(_ a: Int, _ b: Int) {
        items.swapAt(a, b)
        items[a].heapIndex = a
        items[b].heapIndex = b
    }
}
