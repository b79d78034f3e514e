/// A pool of reusable memory blocks.
///
/// A body passes through memory at the speed of the network. If that memory were allocated and freed each time, on different
/// threads, it would go back to the system and return as zeroed pages, which costs more than copying the bytes.
///
/// The pool keeps a limited number of bytes. Every ``tidyingInterval``, it frees the blocks that were unused during the whole
/// interval.
package final class BlockPool: Sendable {
    /// The pool of this process.
    package static let shared = BlockPool()
    /// The smallest size of a block, in bytes.
    package static let blockSize = 64 * 1024
    /// The largest size of a block that the pool keeps, in bytes.
    static let largestSize = 8 << 20
    /// The time after which unused blocks are freed.
    private static let tidyingInterval = DispatchTimeInterval.seconds(2)

    /// The free blocks of one size, as addresses, because pointers are not sendable.
    private struct Shelf {
        var blocks: [UInt] = []
        /// The smallest number of free blocks since the pool was last tidied.
        var fewest = 0
    }

    private struct State {
        var shelves: [Int: Shelf] = [:]
        var keptBytes = 0
        var isTidied = false
    }

    private let state = Locked(State())
    private let limit: Int

    /// Creates a pool that keeps a limited number of free bytes.
    init(limit: Int = 32 << 20) { self.limit = limit }

    deinit {
        for shelf in state.withLock({ $0.shelves.values }) { Self.release(shelf.blocks) }
    }

    /// The number of free bytes in the pool.
    var keptBytes: Int { state.withLock { $0.keptBytes } }

    /// The size of the block for a number of bytes: at most a quarter larger than needed.
    static func size(for count: Int) -> Int {
        guard count > blockSize else { return blockSize }
        let step = max(1, 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount - 3))
        return (count + step - 1) / step * step
    }

    /// Takes a block from the pool, or allocates one.
    ///
    /// - Parameter size: The size in bytes, one of ``size(for:)``.
    /// - Returns: The block, with unspecified contents. Pass it to ``data(_:size:count:)`` or ``take(back:size:)``.
    package func block(size: Int = blockSize) -> UnsafeMutableRawPointer {
        let kept = state.withLock { state -> UInt? in
            guard var shelf = state.shelves[size].take(), let address = shelf.blocks.popLast() else { return nil }
            shelf.fewest = min(shelf.fewest, shelf.blocks.count)
            state.shelves[size] = shelf
            state.keptBytes -= size
            return address
        }
        if let kept, let block = UnsafeMutableRawPointer(bitPattern: kept) { return block }
        // If there is no memory, the process ends, as with Swift's own allocation. A length that a server declares allocates at
        // most 8 MiB.
        guard let block = malloc(size) else { fatalError("There is no memory for \(size) bytes.") }
        return block
    }

    /// Enlarges a block to a size of ``size(for:)``, keeps a number of its bytes, and returns the block that replaces it.
    func enlarge(_ block: UnsafeMutableRawPointer, size: Int, to newSize: Int, count: Int) -> UnsafeMutableRawPointer {
        // The system moves large blocks without copying them.
        if size > Self.largestSize {
            // As in `block(size:)`. The caller's limit for bodies in memory bounds the size.
            guard let larger = realloc(block, newSize) else { fatalError("There is no memory for \(newSize) bytes.") }
            return larger
        }
        let larger = self.block(size: newSize)
        larger.copyMemory(from: block, byteCount: count)
        take(back: block, size: size)
        return larger
    }

    /// Returns a block to the pool.
    package func take(back block: UnsafeMutableRawPointer, size: Int = blockSize) {
        let address = UInt(bitPattern: block)
        let (isKept, mustTidy) = state.withLock { state in
            guard size <= Self.largestSize, state.keptBytes + size <= limit else { return (false, false) }
            state.shelves[size, default: Shelf()].blocks.append(address)
            state.keptBytes += size
            defer { state.isTidied = true }
            return (true, !state.isTidied)
        }
        if !isKept { free(block) }
        if mustTidy { tidyLater() }
    }

    /// Creates data from the filled part of a block without copying; the block returns to the pool when the data is released.
    package func data(_ block: UnsafeMutableRawPointer, size: Int = blockSize, count: Int) -> Data {
        Data(bytesNoCopy: block, count: count, deallocator: .custom { block, _ in self.take(back: block, size: size) })
    }

    // MARK: Tidying

    private func tidyLater() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.tidyingInterval) { [weak self] in
            guard let self, self.tidy() else { return }
            self.tidyLater()
        }
    }

    /// Frees the blocks that were unused since the last call, and returns whether any blocks are left.
    @discardableResult
    func tidy() -> Bool {
        let (surplus, hasMore) = state.withLock { state in
            var surplus: [UInt] = []
            for (size, var shelf) in state.shelves {
                surplus += shelf.blocks.prefix(shelf.fewest)
                state.keptBytes -= size * shelf.fewest
                shelf.blocks.removeFirst(shelf.fewest)
                shelf.fewest = shelf.blocks.count
                state.shelves[size] = shelf.blocks.isEmpty ? nil : shelf
            }
            state.isTidied = !state.shelves.isEmpty
            return (surplus, state.isTidied)
        }
        Self.release(surplus)
        return hasMore
    }

    private static func release(_ blocks: [UInt]) {
        for address in blocks { free(UnsafeMutableRawPointer(bitPattern: address)) }
    }
}
