/// What has arrived of a response's body and was not read yet: a pure value between one writer and one reader.
///
///     open ── finish ──▶ ended ── last bytes taken ──▶ drained
///       └───────┴── close (the reader has gone) ──▶ closed
///
/// The writer is told to pause once ``highWater`` bytes wait, and to go on when the reader has taken them. What is
/// returned as an action is performed by the caller, outside of any lock.
struct InboundBuffer<Waiter: Sendable> {
    private enum End {
        case none, clean, closed
        case failed(any Error)
    }

    /// With this many bytes the reader is woken at once; fewer wait until the writer has nothing more at the moment.
    private let wakeMark: Int
    private let highWater: Int
    private var bytes = Data()
    private var lastTaken = 0
    private var waiter: Waiter?
    private var end = End.none
    private var isWriterPaused = false

    /// How many bytes wait.
    var count: Int { bytes.count }

    /// Creates an empty buffer.
    ///
    /// - Parameter highWater: How many bytes may wait before the writer has to pause.
    init(highWater: Int) {
        self.highWater = highWater
        wakeMark = highWater / 4
    }

    // MARK: The writer

    enum WriteAction: Sendable {
        /// The bytes were taken over; the waiter, if any, is to be given the data.
        case accepted((Waiter, Data)?)
        /// They were not: the writer has to come again with them when it is told to go on.
        case pause
        /// The reader has gone.
        case closed
    }

    /// Takes over bytes that arrived.
    ///
    /// More than ``highWater`` bytes may wait afterwards, by less than one write.
    mutating func write(_ new: UnsafeRawBufferPointer) -> WriteAction {
        guard case .none = end else { return .closed }
        guard bytes.count < highWater else {
            isWriterPaused = true
            return .pause
        }
        if bytes.isEmpty { bytes.reserveCapacity(max(new.count, min(lastTaken, highWater + new.count))) }
        bytes.append(contentsOf: new)
        return .accepted(bytes.count >= wakeMark ? flush() : nil)
    }

    /// The writer has nothing more at the moment.
    ///
    /// - Returns: Whoever waited, and what for.
    mutating func flush() -> (Waiter, Data)? {
        guard !bytes.isEmpty, let waiter = waiter.take() else { return nil }
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
    mutating func finish(_ error: (any Error)?) -> FinishAction {
        guard case .none = end else { return .none }
        end = error.map { .failed($0) } ?? .clean
        guard let waiter = waiter.take() else { return .none }
        if !bytes.isEmpty { return .deliver(waiter, take()) }
        if let error { return .fail(waiter, error) }
        return .end(waiter)
    }

    // MARK: The reader

    enum ReadAction: Sendable {
        /// Data; where `resumes`, the writer has to be told to go on.
        case deliver(Data, resumes: Bool)
        case end
        case fail(any Error)
        case wait
    }

    /// Asks for what is there.
    ///
    /// - Parameter waiter: Who waits where there is nothing; refused while somebody else does.
    mutating func read(_ waiter: Waiter) -> ReadAction {
        if !bytes.isEmpty {
            let data = take()
            defer { isWriterPaused = false }
            return .deliver(data, resumes: isWriterPaused)
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
        bytes = Data()
        return (stopsWriter, waiter.take())
    }

    private mutating func take() -> Data {
        lastTaken = bytes.count
        defer { bytes = Data() }
        return bytes
    }
}
