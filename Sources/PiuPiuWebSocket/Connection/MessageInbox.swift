/// The messages that have arrived and were not read, and who waits for the next; a pure value.
///
///     reading ── end ──▶ ended: what has arrived is still delivered, then the end
///
/// One reader at a time waits. Above ``highWater``, nothing more is taken from the connection until half of it was read.
struct MessageInbox<Waiter> {
    /// The result of reading.
    enum Read {
        /// A message, and whether the connection may go on.
        case message(WebSocketMessage, resumes: Bool)
        case end
        case fail(any Error)
        case wait
        /// Another task waits already.
        case busy
    }

    /// The number of bytes from which nothing more is taken: 256 KiB.
    static var highWater: Int { 256 * 1024 }
    /// What a message counts in addition to its content, so that many empty ones are bounded too.
    static var overhead: Int { 64 }

    private enum End {
        case finished
        case failed(any Error)
    }

    private var messages: [WebSocketMessage] = []
    private var first = 0
    private(set) var byteCount = 0
    private var waiter: (id: Int, waiter: Waiter)?
    private var cancelled: Set<Int> = []
    private var nextID = 0
    private var end: End?
    /// Whether the connection was stopped until messages are read.
    private(set) var isStopped = false

    /// The number of readers that wait: 0 or 1.
    var waiterCount: Int { waiter == nil ? 0 : 1 }

    /// Whether nothing more is to be taken from the connection; if so, a read will let it go on.
    mutating func isFull() -> Bool {
        guard byteCount >= Self.highWater, end == nil else { return false }
        isStopped = true
        return true
    }

    /// Adds a message, or returns the waiter that gets it.
    mutating func add(_ message: WebSocketMessage) -> Waiter? {
        guard end == nil else { return nil }
        if let waiter = waiter.take() { return waiter.waiter }
        byteCount += message.byteCount + Self.overhead
        messages.append(message)
        return nil
    }

    /// Records that no more messages follow, and returns the waiter to tell.
    mutating func finish(_ error: (any Error)?) -> Waiter? {
        guard end == nil else { return nil }
        end = error.map { .failed($0) } ?? .finished
        return waiter.take()?.waiter
    }

    /// Drops everything, because nobody reads any more.
    mutating func removeAll() -> [WebSocketMessage] {
        defer { (messages, first, byteCount) = ([], 0, 0) }
        return messages
    }

    /// The identity of a reader that may have to wait.
    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Takes the next message.
    mutating func read() -> Read {
        if first < messages.count {
            let message = messages[first]
            // Released with the reader's copy, not when the list is emptied.
            messages[first] = .binary(Data())
            first += 1
            byteCount -= message.byteCount + Self.overhead
            if first == messages.count {
                messages.removeAll(keepingCapacity: messages.count <= 16)
                first = 0
            }
            let resumes = isStopped && byteCount <= Self.highWater / 2
            if resumes { isStopped = false }
            return .message(message, resumes: resumes)
        }
        guard waiter == nil else { return .busy }
        switch end {
        case .finished: return .end
        case .failed(let error): return .fail(error)
        case nil: return .wait
        }
    }

    /// Takes the next message, or lets a reader wait.
    mutating func read(_ reader: Waiter, _ id: Int) -> Read {
        let read = read()
        guard case .wait = read else { return read }
        guard cancelled.remove(id) == nil else { return .fail(CancellationError()) }
        waiter = (id, reader)
        return .wait
    }

    /// Cancels a reader, and returns it if it waits.
    mutating func cancel(_ id: Int) -> Waiter? {
        guard waiter?.id == id else {
            cancelled.insert(id)
            return nil
        }
        return waiter.take()?.waiter
    }

    /// Forgets a reader that no longer waits.
    mutating func forget(_ id: Int) { if !cancelled.isEmpty { cancelled.remove(id) } }
}
