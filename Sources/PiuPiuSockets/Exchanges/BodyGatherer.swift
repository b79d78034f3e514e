#if os(Linux)
/// Gathers the pieces of a body in a block without a lock.
///
/// It passes the block on when the block is full or no more data arrives for now.
package struct BodyGatherer: ~Copyable {
    /// The size below which data is copied out of its block, so that waiting data doesn't occupy a whole block.
    private static let smallCount = 16 * 1024
    /// The most bytes that wait for the reader, and the size of the largest block.
    ///
    /// Reading a fast body in few large pieces costs half as much as in many small ones.
    package static let largestCount = 256 * 1024

    private let pool: BlockPool
    private var block: UnsafeMutableRawPointer?
    // 32 bits each, because every exchange has a gatherer.
    private var storedSize = UInt32(BlockPool.blockSize)
    private var storedCount: UInt32 = 0
    /// Whether the last chunk would have almost filled a small block.
    private var isFast = false

    private var size: Int {
        get { Int(storedSize) }
        set { storedSize = UInt32(newValue) }
    }
    private var count: Int {
        get { Int(storedCount) }
        set { storedCount = UInt32(newValue) }
    }

    package init(pool: BlockPool = .shared) { self.pool = pool }

    deinit {
        if let block { pool.take(back: block, size: size) }
    }

    /// Gathers a piece of the body.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - inbound: The body that receives it.
    ///   - takesMore: Whether the piece is accepted even if there is no room.
    /// - Returns: `ready` if it was accepted. Otherwise, offer it again later, or stop because the reader closed the body.
    package mutating func gather(
        _ bytes: UnsafeRawBufferPointer,
        for inbound: InboundBody,
        takesMore: Bool = false
    ) -> InboundBuffer<Never>.Readiness {
        // A piece that does not fit begins a block, so that there is room for the whole block.
        if count + bytes.count > size { pass(to: inbound) }
        if count == 0 {
            let readiness = inbound.checkRoom()
            guard readiness == .ready || takesMore && readiness == .pause else { return readiness }
        }
        var rest = bytes
        while !rest.isEmpty {
            let block = currentBlock(for: inbound)
            let length = min(rest.count, size - count)
            (block + count).copyMemory(from: rest.baseAddress ?? UnsafeRawPointer(block), byteCount: length)
            count += length
            rest = UnsafeRawBufferPointer(rebasing: rest[length...])
            if count == size { pass(to: inbound) }
        }
        return .ready
    }

    package enum Room {
        case ready(UnsafeMutableRawBufferPointer)
        /// Ask again later.
        case pause
        /// The reader closed the body.
        case closed
    }

    /// Returns the free part of the block, for receiving bytes without copying them; ``stored(_:for:)`` follows.
    package mutating func room(for inbound: InboundBody) -> Room {
        // A small rest would make small reads.
        if size - count < Self.smallCount { pass(to: inbound) }
        if count == 0 {
            switch inbound.checkRoom() {
            case .ready: break
            case .pause: return .pause
            case .closed: return .closed
            }
        }
        let block = currentBlock(for: inbound)
        return .ready(UnsafeMutableRawBufferPointer(start: block + count, count: size - count))
    }

    /// Records the number of bytes that were received into the memory that ``room(for:)`` returned.
    package mutating func stored(_ number: Int, for inbound: InboundBody) {
        count += number
        if count == size { pass(to: inbound) } else if count == 0 { release() }
    }

    /// Passes on the gathered bytes and wakes the reader.
    package mutating func flush(to inbound: InboundBody) {
        if count > 0 { pass(to: inbound) }
        // A stream that waits for its server needs no block.
        release()
        inbound.flush()
    }

    private mutating func currentBlock(for inbound: InboundBody) -> UnsafeMutableRawPointer {
        if let block { return block }
        size = BlockPool.blockSize
        if isFast {
            // A whole number of small blocks, so that the pool has few sizes.
            let room = (Self.largestCount - inbound.count) / BlockPool.blockSize
            size *= max(1, room)
        }
        let block = pool.block(size: size)
        self.block = block
        return block
    }

    private mutating func pass(to inbound: InboundBody) {
        guard let block, count > 0 else { return }
        isFast = BlockPool.blockSize - count < Self.smallCount
        if count < Self.smallCount {
            inbound.write(Data(bytes: block, count: count))
        } else if !isFast, size > BlockPool.blockSize {
            let smaller = pool.block()
            smaller.copyMemory(from: block, byteCount: count)
            inbound.write(pool.data(smaller, count: count))
        } else {
            inbound.write(pool.data(block, size: size, count: count))
            self.block = nil
        }
        count = 0
    }

    private mutating func release() {
        if let block = block.take() { pool.take(back: block, size: size) }
    }
}
#endif
