/// Blocks of memory that are used again and again.
///
/// A body passes through memory at the pace of the network. Allocated and freed each time, on different threads, that
/// memory goes back to the system and comes again as pages of zeros, which costs more than copying the bytes.
final class BlockPool: Sendable {
    /// The size of a block, in bytes.
    static let blockSize = 64 * 1024
    /// More blocks than this are freed when they come back.
    private static let keptBlocks = 16

    /// Addresses, because pointers may not cross threads by themselves.
    private let free = Locked<[UInt]>([])

    deinit {
        for address in free.withLock({ $0 }) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    /// Gives a block out.
    ///
    /// - Returns: ``blockSize`` bytes, with anything in them, for whoever gives them to ``data(_:count:)`` or
    ///   ``take(back:)``.
    func block() -> UnsafeMutableRawPointer {
        if let address = free.withLock({ $0.popLast() }), let block = UnsafeMutableRawPointer(bitPattern: address) {
            return block
        }
        return .allocate(byteCount: Self.blockSize, alignment: 64)
    }

    /// Takes a block back.
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

    /// Makes data of a block, without copying; the block comes back when nobody has the data any more.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - count: How many bytes of it were filled.
    /// - Returns: The data.
    func data(_ block: UnsafeMutableRawPointer, count: Int) -> Data {
        Data(bytesNoCopy: block, count: count, deallocator: .custom { block, _ in self.take(back: block) })
    }
}
