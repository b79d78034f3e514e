/// A pool of reusable memory blocks.
///
/// A body passes through memory at the pace of the network. If that memory were allocated and freed each time, on
/// different threads, it would go back to the system and return as zeroed pages, which costs more than copying the
/// bytes.
final class BlockPool: Sendable {
    /// The size of a block, in bytes.
    static let blockSize = 64 * 1024
    /// The number of free blocks to keep; more are freed when they are returned.
    private static let keptBlocks = 16

    /// Addresses, because pointers are not sendable.
    private let free = Locked<[UInt]>([])

    deinit {
        for address in free.withLock({ $0 }) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    /// Takes a block from the pool, or allocates one.
    ///
    /// - Returns: ``blockSize`` bytes with unspecified contents, to be passed to ``data(_:count:)`` or ``take(back:)``.
    func block() -> UnsafeMutableRawPointer {
        if let address = free.withLock({ $0.popLast() }), let block = UnsafeMutableRawPointer(bitPattern: address) {
            return block
        }
        return .allocate(byteCount: Self.blockSize, alignment: 64)
    }

    /// Returns a block to the pool.
    ///
    /// - Parameter block: The block.
    func take(back block: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: block)
        let isKept = free.withLock { free in
            guard free.count < Self.keptBlocks else { return false }
            free.append(address)
            return true
        }
        if !isKept { block.deallocate() }
    }

    /// Creates data from a block without copying; the block returns to the pool when the data is released.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - count: The number of bytes that were filled.
    /// - Returns: The data.
    func data(_ block: UnsafeMutableRawPointer, count: Int) -> Data {
        Data(bytesNoCopy: block, count: count, deallocator: .custom { block, _ in self.take(back: block) })
    }
}
