/// What is to be sent of a request's body and was not taken yet: a pure value between one writer and one reader.
///
///     open ── finish or fail ──▶ ended
///       └────────┴── close (the exchange is over) ──▶ closed
///
/// The writer waits while ``highWater`` bytes or more are there; the reader pauses while there are none. What is
/// returned as an action is performed by the caller, outside of any lock.
struct OutboundBuffer<Waiter: Sendable> {
    private enum End {
        case none, clean, failed, closed
    }

    private let highWater: Int
    private var chunks: [Data] = []
    /// Chunks that are not needed any more.
    private var used: [Data] = []
    /// How much of the first chunk was taken.
    private var offset = 0
    private var waiter: Waiter?
    private var end = End.none
    private var isReaderPaused = false

    /// How many bytes wait.
    private(set) var count = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter highWater: How many bytes may wait before the writer has to.
    init(highWater: Int) {
        self.highWater = highWater
    }

    // MARK: The writer

    enum WriteAction: Sendable {
        /// Go on; where `wakes`, the reader has to be told that there is something.
        case proceed(wakes: Bool)
        /// Wait to be resumed; where `wakes`, the reader has to be told that there is something.
        case wait(wakes: Bool)
        /// The exchange is over.
        case closed
    }

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - waiter: Who waits where there are enough.
    /// - Returns: What to do next.
    mutating func write(_ data: Data, _ waiter: Waiter) -> WriteAction {
        guard case .none = end else { return .closed }
        guard !data.isEmpty else { return .proceed(wakes: false) }
        chunks.append(data)
        count += data.count
        let wakes = isReaderPaused
        isReaderPaused = false
        guard count >= highWater else { return .proceed(wakes: wakes) }
        self.waiter = waiter
        return .wait(wakes: wakes)
    }

    /// There is nothing to come.
    ///
    /// - Returns: Whether the reader has to be told.
    mutating func finish() -> Bool {
        guard case .none = end else { return false }
        end = .clean
        defer { isReaderPaused = false }
        return isReaderPaused
    }

    /// The body cannot be completed.
    ///
    /// - Returns: Whether that is news, so that the reader has to be told.
    mutating func fail() -> Bool {
        guard case .none = end else { return false }
        end = .failed
        return true
    }

    // MARK: The reader

    enum ReadAction: Sendable {
        /// So many bytes were copied; the waiter, if any, goes on.
        case copied(Int, Waiter?)
        case pause
        case end
        case abort
    }

    /// Copies what is there.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadAction {
        if case .failed = end { return .abort }
        if case .closed = end { return .abort }
        guard count > 0 else {
            if case .clean = end { return .end }
            isReaderPaused = true
            return .pause
        }
        var copied = 0
        var emptied = 0
        while emptied < chunks.count, copied < buffer.count {
            let chunk = chunks[emptied]
            let length = min(chunk.count - offset, buffer.count - copied)
            let start = chunk.startIndex + offset
            chunk.copyBytes(
                to: UnsafeMutableRawBufferPointer(rebasing: buffer[copied...]),
                from: start..<start + length
            )
            copied += length
            offset += length
            if offset == chunk.count {
                offset = 0
                emptied += 1
            }
        }
        used += chunks[..<emptied]
        chunks.removeFirst(emptied)
        count -= copied
        // Half empty: the writer gets ahead again before the rest is gone.
        return .copied(copied, count <= highWater / 2 ? waiter.take() : nil)
    }

    /// Hands out the chunks that are not needed any more.
    ///
    /// The caller releases them outside of any lock, because data can have a custom deallocator.
    ///
    /// - Returns: The chunks.
    mutating func takeUsed() -> [Data] {
        defer { used = [] }
        return used
    }

    /// The exchange is over.
    ///
    /// - Returns: Who waits and is to be told.
    mutating func close() -> Waiter? {
        end = .closed
        used += chunks
        chunks = []
        offset = 0
        count = 0
        return waiter.take()
    }
}
