/// The body of a response that is collected in memory.
///
/// A large body gets a block of a pool: from the start if its length is known, and otherwise as it grows.
struct BodyBuffer: ~Copyable {
    /// The largest block made on a server's word, in bytes; beyond that, a body has to arrive first.
    private static let largestPromise = BlockPool.largestSize

    private let pool: BlockPool
    /// The bytes as long as they are few.
    private var small: Data?
    private var block: UnsafeMutableRawPointer?
    private var size = 0
    private var blockCount = 0

    /// Creates an empty buffer.
    init(pool: BlockPool = .shared) { self.pool = pool }

    deinit {
        if let block { pool.take(back: block, size: size) }
    }

    /// The number of bytes so far.
    var count: Int { block == nil ? small?.count ?? 0 : blockCount }

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - length: The number of bytes that the server announced for the whole body; `nil` if it did not.
    mutating func append(_ bytes: UnsafeRawBufferPointer, of length: Int?) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else {
            if count == 0 { small = Data() }
            return
        }
        let newCount = count + bytes.count
        let expected = max(newCount, min(length ?? 0, Self.largestPromise))
        guard block != nil || expected >= BlockPool.blockSize else {
            if small == nil {
                guard expected > newCount else { return small = Data(bytes) }
                small = Data(capacity: expected)
            }
            small?.append(contentsOf: bytes)
            return
        }
        let place = room(for: newCount, expected: expected)
        (place + blockCount).copyMemory(from: source, byteCount: bytes.count)
        blockCount = newCount
    }

    /// Returns a block with room for a number of bytes, and with those that are there already.
    private mutating func room(for newCount: Int, expected: Int) -> UnsafeMutableRawPointer {
        guard let block else {
            size = BlockPool.size(for: expected)
            let block = pool.block(size: size)
            self.block = block
            blockCount = small?.count ?? 0
            small?.copyBytes(to: UnsafeMutableRawBufferPointer(start: block, count: blockCount))
            small = nil
            return block
        }
        guard newCount > size else { return block }
        // The pages of the new half that nothing arrives for cost nothing.
        let newSize = BlockPool.size(for: max(newCount, 2 * size))
        let larger = pool.enlarge(block, size: size, to: newSize, count: blockCount)
        self.block = larger
        size = newSize
        return larger
    }

    /// Takes the bytes out of the buffer.
    ///
    /// - Returns: The bytes; `nil` if none were added.
    mutating func take() -> Data? {
        guard let block = block.take() else { return small.take() }
        return pool.data(block, size: size, count: blockCount)
    }

    /// Drops the bytes.
    mutating func removeAll() { _ = take() }
}
