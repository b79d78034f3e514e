#if os(Linux)
/// Gathers the pieces of a body in a block, without a lock, and passes them on when the block is full or nothing more comes
/// at the moment.
struct BodyGatherer: ~Copyable {
    /// Less than this is copied out of its block, which would be held up by it for as long as it waits.
    private static let smallCount = 16 * 1024
    private static let pool = BlockPool()

    private var block: UnsafeMutableRawPointer?
    private var count = 0

    deinit {
        if let block { Self.pool.take(back: block) }
    }

    /// Takes a piece over.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - inbound: Who gets it.
    ///   - takesMore: Whether it is taken also where there is no room.
    /// - Returns: Whether it was taken; if not, it is to be offered again, or nobody wants it.
    mutating func gather(
        _ bytes: UnsafeRawBufferPointer,
        for inbound: InboundBody,
        takesMore: Bool = false
    ) -> InboundBuffer<Never>.Readiness {
        // Asked before each block that is begun, of which there is one more at most.
        if count == 0 || count + bytes.count > BlockPool.blockSize {
            let readiness = inbound.checkRoom()
            guard readiness == .ready || takesMore && readiness == .pause else { return readiness }
        }
        var rest = bytes
        while !rest.isEmpty {
            let block = self.block ?? Self.pool.block()
            self.block = block
            let length = min(rest.count, BlockPool.blockSize - count)
            (block + count).copyMemory(from: rest.baseAddress ?? UnsafeRawPointer(block), byteCount: length)
            count += length
            rest = UnsafeRawBufferPointer(rebasing: rest[length...])
            if count == BlockPool.blockSize { pass(to: inbound) }
        }
        return .ready
    }

    /// Passes on what there is, and wakes the reader.
    mutating func flush(to inbound: InboundBody) {
        if count > 0 { pass(to: inbound) }
        inbound.flush()
    }

    private mutating func pass(to inbound: InboundBody) {
        guard let block else { return }
        if count < Self.smallCount {
            inbound.write(Data(bytes: block, count: count))
        } else {
            inbound.write(Self.pool.data(block, count: count))
            self.block = nil
        }
        count = 0
    }
}
#endif
