/// The unsent part of a request's body: a pure value between one writer and one reader.
///
///     open ── finish or fail ──▶ ended
///       └────────┴── close (the exchange is over) ──▶ closed
///
/// The writer waits while ``highWater`` bytes or more are buffered; the reader pauses while the buffer is empty. The
/// caller performs the returned actions outside any lock.
struct OutboundBuffer<Waiter: Sendable> {
    private enum End {
        case none, clean, failed, closed
    }

    private let highWater: Int
    private var chunks: [Data] = []
    /// Chunks that are no longer needed.
    private var used: [Data] = []
    /// The number of bytes taken from the first chunk.
    private var offset = 0
    private var waiter: Waiter?
    private var end = End.none
    private var isReaderPaused = false

    /// The number of buffered bytes.
    private(set) var count = 0
    /// The trailer lines; empty before the end.
    private(set) var trailers: [String] = []

    /// Creates an empty buffer with the number of buffered bytes at which the writer has to wait.
    init(highWater: Int) {
        self.highWater = highWater
    }

    // MARK: The writer

    enum WriteAction: Sendable {
        /// Continue; if `wakes` is true, also tell the reader that bytes are available.
        case proceed(wakes: Bool)
        /// Wait to be resumed; if `wakes` is true, also tell the reader that bytes are available.
        case wait(wakes: Bool)
        /// The exchange is over.
        case closed
    }

    /// Adds bytes, and returns the action to perform; keeps the waiter if the buffer is full.
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

    /// Marks the end of the body, with its trailer lines, and returns whether to wake the reader.
    mutating func finish(trailers: [String] = []) -> Bool {
        guard case .none = end else { return false }
        end = .clean
        self.trailers = trailers
        defer { isReaderPaused = false }
        return isReaderPaused
    }

    /// Marks the body as failed, and returns whether it had not ended before, so the reader has to be woken.
    mutating func fail() -> Bool {
        guard case .none = end else { return false }
        end = .failed
        return true
    }

    // MARK: The reader

    enum ReadAction: Sendable {
        /// The number of bytes copied, and the writer to resume, if any.
        case copied(Int, Waiter?)
        case pause
        case end
        case abort
    }

    /// Copies the next bytes.
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
        // Resume the writer when the buffer is half empty, so that it can refill it before the rest is sent.
        return .copied(copied, count <= highWater / 2 ? waiter.take() : nil)
    }

    /// Removes and returns the chunks that are no longer needed.
    ///
    /// The caller releases them outside any lock, because data can have a custom deallocator.
    mutating func takeUsed() -> [Data] {
        defer { used = [] }
        return used
    }

    /// Closes the buffer, because the exchange is over, and returns the waiting writer, which the caller resumes.
    mutating func close() -> Waiter? {
        end = .closed
        used += chunks
        chunks = []
        offset = 0
        count = 0
        return waiter.take()
    }
}
