/// The unread part of a response's body: a pure value between one writer and one reader.
///
///     open ── finish ──▶ ended ── last chunk taken ──▶ drained
///       └───────┴── close (by the reader) ──▶ closed
///
/// The writer has to pause when ``highWater`` bytes are buffered, and may continue when the reader has taken half of
/// them. The caller performs the returned actions outside any lock.
package struct InboundBuffer<Waiter: Sendable> {
    /// The size up to which small chunks are joined.
    private static var joinedSize: Int { 16 * 1024 }

    private enum End {
        case none, clean, closed
        case failed(any Error)
    }

    private let highWater: Int
    /// The number of bytes that wakes the reader at once; fewer bytes wait for a flush.
    private let wakeMark: Int
    private var chunks: [Data] = []
    /// The index of the first chunk that has not been taken.
    private var head = 0
    private var waiter: Waiter?
    private var end = End.none
    private var isWriterPaused = false

    /// The number of buffered bytes.
    private(set) var count = 0
    /// The lines of the trailer section; empty before the end.
    private(set) var trailers: [UInt8] = []

    /// Creates an empty buffer with the number of buffered bytes at which the writer has to pause.
    init(highWater: Int) {
        self.highWater = highWater
        wakeMark = highWater / 2
    }

    // MARK: The writer

    package enum Readiness: Sendable {
        /// There is room for another chunk.
        case ready
        /// The buffer is full; the writer has to wait until it may continue.
        case pause
        /// The reader closed the buffer.
        case closed
    }

    /// Returns whether the writer may continue.
    mutating func checkRoom() -> Readiness {
        guard case .none = end else { return .closed }
        isWriterPaused = count >= highWater
        return isWriterPaused ? .pause : .ready
    }

    /// Adds a chunk, and returns the waiting reader and its bytes; `nil` if there is nothing to deliver.
    ///
    /// The writer calls ``checkRoom()`` first, so the buffer exceeds ``highWater`` by at most one chunk.
    mutating func write(_ chunk: Data) -> (Waiter, Data)? {
        guard case .none = end, !chunk.isEmpty else { return nil }
        count += chunk.count
        // Join small chunks, whose overhead would exceed their size.
        if let last = chunks.indices.last, last >= head, chunks[last].count + chunk.count <= Self.joinedSize {
            chunks[last].append(chunk)
        } else {
            chunks.append(chunk)
        }
        return count >= wakeMark ? flush() : nil
    }

    /// Delivers the buffered bytes, because the writer has nothing more for now; returns `nil` if there is nothing to deliver.
    mutating func flush() -> (Waiter, Data)? {
        guard count > 0, let waiter = waiter.take() else { return nil }
        return (waiter, take())
    }

    enum FinishAction: Sendable {
        /// No reader waits; the next read finds the end.
        case none
        case deliver(Waiter, Data)
        case end(Waiter)
        case fail(Waiter, any Error)
    }

    /// Ends the body.
    ///
    /// - Parameters:
    ///   - error: The reason why the body is incomplete; `nil` if it is complete.
    ///   - trailers: The lines of the trailer section.
    /// - Returns: The result for the waiting reader.
    mutating func finish(_ error: (any Error)?, trailers: [UInt8] = []) -> FinishAction {
        guard case .none = end else { return .none }
        self.trailers = trailers
        end = error.map { .failed($0) } ?? .clean
        guard let waiter = waiter.take() else { return .none }
        if count > 0 { return .deliver(waiter, take()) }
        return error.map { .fail(waiter, $0) } ?? .end(waiter)
    }

    // MARK: The reader

    enum ReadAction: Sendable {
        /// Deliver a chunk; if `resumes` is true, also tell the writer to continue.
        case deliver(Data, resumes: Bool)
        case end
        case fail(any Error)
        case wait
    }

    /// Takes the next chunk, or registers the waiter if nothing is buffered; refused while another one waits.
    mutating func read(_ waiter: Waiter) -> ReadAction {
        let action = read()
        guard case .wait = action else { return action }
        // Replacing the current waiter would leave it suspended forever.
        guard self.waiter == nil else { return .fail(TransferError(.bodyAlreadyRead)) }
        self.waiter = waiter
        return .wait
    }

    /// Takes the next chunk; if nothing is buffered, the reader has to wait.
    mutating func read() -> ReadAction {
        if head < chunks.count {
            let chunk = take()
            let resumes = isWriterPaused && count <= highWater / 2
            if resumes { isWriterPaused = false }
            return .deliver(chunk, resumes: resumes)
        }
        switch end {
        case .none: return .wait
        case .clean: return .end
        case .closed: return .fail(CancellationError())
        case .failed(let error): return .fail(error)
        }
    }

    /// Closes the buffer for the reader.
    ///
    /// - Returns: Whether the writer was active and has to stop, and the waiter to resume with a `CancellationError`.
    mutating func close() -> (stopsWriter: Bool, waiter: Waiter?) {
        var stopsWriter = false
        if case .none = end { stopsWriter = true }
        end = .closed
        chunks = []
        head = 0
        count = 0
        return (stopsWriter, waiter.take())
    }

    private mutating func take() -> Data {
        var chunk = Data()
        swap(&chunk, &chunks[head])
        head += 1
        count -= chunk.count
        if head == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 32, head * 2 >= chunks.count {
            // A reader that is always slightly slower than the network never takes the last chunk.
            chunks.removeFirst(head)
            head = 0
        }
        return chunk
    }
}
