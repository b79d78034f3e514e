/// What has arrived of a response's body and was not read yet: a pure value between one writer and one reader.
///
///     open ── finish ──▶ ended ── last chunk taken ──▶ drained
///       └───────┴── close (the reader has gone) ──▶ closed
///
/// The writer is told to pause once ``highWater`` bytes wait, and to go on when half of them were taken. What is returned
/// as an action is performed by the caller, outside of any lock.
package struct InboundBuffer<Waiter: Sendable> {
    /// Smaller chunks are joined, up to this size.
    private static var joinedSize: Int { 16 * 1024 }

    private enum End {
        case none, clean, closed
        case failed(any Error)
    }

    private let highWater: Int
    /// With this many bytes the reader is woken at once; fewer wait until the writer has nothing more at the moment.
    private let wakeMark: Int
    private var chunks: [Data] = []
    /// The first chunk that was not taken.
    private var head = 0
    private var waiter: Waiter?
    private var end = End.none
    private var isWriterPaused = false

    /// How many bytes wait.
    private(set) var count = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter highWater: How many bytes may wait before the writer has to pause.
    init(highWater: Int) {
        self.highWater = highWater
        wakeMark = highWater / 2
    }

    // MARK: The writer

    package enum Readiness: Sendable {
        /// There is room for another chunk.
        case ready
        /// There is not: the writer has to wait until it is told to go on.
        case pause
        /// The reader has gone.
        case closed
    }

    /// Whether the writer may go on.
    mutating func checkRoom() -> Readiness {
        guard case .none = end else { return .closed }
        isWriterPaused = count >= highWater
        return isWriterPaused ? .pause : .ready
    }

    /// Takes over a chunk that arrived.
    ///
    /// The writer has asked for room before, so that no more than a chunk comes on top of ``highWater``.
    ///
    /// - Parameter chunk: The chunk.
    /// - Returns: Whoever waited, and what for.
    mutating func write(_ chunk: Data) -> (Waiter, Data)? {
        guard case .none = end, !chunk.isEmpty else { return nil }
        count += chunk.count
        // Many small chunks would weigh more than their bytes.
        if let last = chunks.indices.last, last >= head, chunks[last].count + chunk.count <= Self.joinedSize {
            chunks[last].append(chunk)
        } else {
            chunks.append(chunk)
        }
        return count >= wakeMark ? flush() : nil
    }

    /// The writer has nothing more at the moment.
    ///
    /// - Returns: Whoever waited, and what for.
    mutating func flush() -> (Waiter, Data)? {
        guard count > 0, let waiter = waiter.take() else { return nil }
        return (waiter, take())
    }

    enum FinishAction: Sendable {
        /// Nobody waits; the end is found later.
        case none
        case deliver(Waiter, Data)
        case end(Waiter)
        case fail(Waiter, any Error)
    }

    /// The writer is done.
    ///
    /// - Parameter error: Why the body is not complete; `nil` where it is.
    /// - Returns: What whoever waits is to be told.
    mutating func finish(_ error: (any Error)?) -> FinishAction {
        guard case .none = end else { return .none }
        end = error.map { .failed($0) } ?? .clean
        guard let waiter = waiter.take() else { return .none }
        if count > 0 { return .deliver(waiter, take()) }
        return error.map { .fail(waiter, $0) } ?? .end(waiter)
    }

    // MARK: The reader

    enum ReadAction: Sendable {
        /// A chunk; where `resumes`, the writer has to be told to go on.
        case deliver(Data, resumes: Bool)
        case end
        case fail(any Error)
        case wait
    }

    /// Asks for what is there.
    ///
    /// - Parameter waiter: Who waits where there is nothing; refused while somebody else does.
    /// - Returns: What there is.
    mutating func read(_ waiter: Waiter) -> ReadAction {
        if head < chunks.count {
            let chunk = take()
            let resumes = isWriterPaused && count <= highWater / 2
            if resumes { isWriterPaused = false }
            return .deliver(chunk, resumes: resumes)
        }
        switch end {
        case .none:
            // Whoever waits already would never be woken.
            guard self.waiter == nil else { return .fail(TransferError(.bodyAlreadyRead)) }
            self.waiter = waiter
            return .wait
        case .clean: return .end
        case .closed: return .fail(CancellationError())
        case .failed(let error): return .fail(error)
        }
    }

    /// The reader goes.
    ///
    /// - Returns: Whether the writer was still at work and has to be told, and who waits for a `CancellationError`.
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
            // A reader that is always a little slower than the network never takes the last chunk.
            chunks.removeFirst(head)
            head = 0
        }
        return chunk
    }
}
