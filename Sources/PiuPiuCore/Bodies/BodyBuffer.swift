/// The body of a response that is collected in memory.
///
/// A large body uses a block of a pool: from the start if its length is known, otherwise once it has grown.
package struct BodyBuffer: ~Copyable {
    /// The largest block allocated for a declared length, in bytes; beyond that, the buffer grows as bytes arrive.
    private static let largestPromise = BlockPool.largestSize

    /// The bytes so far; a compact value, because every exchange contains one.
    private enum Content {
        case none
        case few(Data)
        case many(UnsafeMutableRawPointer, size: Int, count: Int)
    }

    private let pool: BlockPool
    private var content = Content.none

    /// Creates an empty buffer.
    package init(pool: BlockPool = .shared) { self.pool = pool }

    deinit {
        if case .many(let block, let size, _) = content { pool.take(back: block, size: size) }
    }

    /// The number of bytes so far.
    package var count: Int {
        switch content {
        case .none: 0
        case .few(let data): data.count
        case .many(_, _, let count): count
        }
    }

    /// Adds bytes of a body whose declared length is known, or `nil`.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, of length: Int?) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else {
            if case .none = content { content = .few(Data()) }
            return
        }
        let newCount = count + bytes.count
        let expected = max(newCount, min(length ?? 0, Self.largestPromise))
        switch content {
        case .none where expected < BlockPool.blockSize:
            guard expected > newCount else { return content = .few(Data(bytes)) }
            var data = Data(capacity: expected)
            data.append(contentsOf: bytes)
            content = .few(data)
        case .few(var data) where expected < BlockPool.blockSize:
            // Keep the only reference, so that appending does not copy the bytes.
            content = .none
            data.append(contentsOf: bytes)
            content = .few(data)
        default:
            let (block, size) = room(for: newCount, expected: expected)
            (block + newCount - bytes.count).copyMemory(from: source, byteCount: bytes.count)
            content = .many(block, size: size, count: newCount)
        }
    }

    /// Returns a block with room for a number of bytes, filled with the present ones.
    private func room(for newCount: Int, expected: Int) -> (UnsafeMutableRawPointer, size: Int) {
        switch content {
        case .many(let block, let size, _) where newCount <= size: return (block, size)
        case .many(let block, let size, let count):
            // Untouched pages of the new half cost nothing.
            let newSize = BlockPool.size(for: max(newCount, 2 * size))
            return (pool.enlarge(block, size: size, to: newSize, count: count), newSize)
        case .none, .few:
            let size = BlockPool.size(for: expected)
            let block = pool.block(size: size)
            if case .few(let data) = content {
                data.copyBytes(to: UnsafeMutableRawBufferPointer(start: block, count: data.count))
            }
            return (block, size)
        }
    }

    /// Removes and returns the bytes; `nil` if none were added.
    package mutating func take() -> Data? {
        let taken = content
        content = .none
        return switch taken {
        case .none: nil
        case .few(let data): data
        case .many(let block, let size, let count): pool.data(block, size: size, count: count)
        }
    }

    /// Drops the bytes.
    package mutating func removeAll() { _ = take() }
}
