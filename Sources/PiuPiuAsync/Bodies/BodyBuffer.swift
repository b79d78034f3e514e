/// The body of a response that is collected in memory.
///
/// A large body gets a block of a pool: from the start if its length is known, and otherwise as it grows.
package struct BodyBuffer: ~Copyable {
    /// The largest block made on a server's word, in bytes; beyond that, a body has to arrive first.
    private static let largestPromise = BlockPool.largestSize

    /// What there is; one value, because every exchange has room for it.
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

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - length: The number of bytes that the server announced for the whole body; `nil` if it did not.
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
            // The only reference, so that the bytes stay where they are.
            content = .none
            data.append(contentsOf: bytes)
            content = .few(data)
        default:
            let (block, size) = room(for: newCount, expected: expected)
            (block + newCount - bytes.count).copyMemory(from: source, byteCount: bytes.count)
            content = .many(block, size: size, count: newCount)
        }
    }

    /// Returns a block with room for a number of bytes, and with those that are there already.
    private func room(for newCount: Int, expected: Int) -> (UnsafeMutableRawPointer, size: Int) {
        switch content {
        case .many(let block, let size, _) where newCount <= size: return (block, size)
        case .many(let block, let size, let count):
            // The pages of the new half that nothing arrives for cost nothing.
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

    /// Takes the bytes out of the buffer.
    ///
    /// - Returns: The bytes; `nil` if none were added.
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
