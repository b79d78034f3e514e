/// The frames that wait to be sent, and who waits for room; a pure value.
///
/// A sender has the **turn** while its message is being made outside the lock: compressed, or produced in parts. A message is added
/// whole or in fragments, never a part of a frame, so that control frames can follow at any time.
///
/// | State | A sender | Then |
/// |---|---|---|
/// | free, with room | asks | adds its message, or has the turn |
/// | taken, or full | asks | waits in line |
/// | taken | gives the turn back | the next in line has it, if there is room |
/// | full | the transport took enough | the next in line has the turn |
struct FrameOutbox<Waiter> {
    /// The number of bytes from which senders wait: 256 KiB.
    static var highWater: Int { 256 * 1024 }
    /// The size up to which frames share a piece of memory.
    static var pieceSize: Int { 16 * 1024 }

    private var pieces: [[UInt8]] = []
    private var first = 0
    /// The number of bytes of the first piece that were taken.
    private var start = 0
    /// The number of bytes that wait.
    private(set) var count = 0
    private var isTaken = false
    private var line: [(id: Int, waiter: Waiter)] = []
    /// The sender that has the turn and waits for room.
    private var holder: (id: Int, waiter: Waiter)?
    private var cancelled: Set<Int> = []
    private var nextID = 0
    /// Whether the transport was told of bytes and has not come for them.
    private var isAnnounced = false

    /// The number of senders that wait.
    var waiting: Int { line.count + (holder == nil ? 0 : 1) }

    // MARK: Senders

    /// Whether a sender may add a message now.
    var isFree: Bool { !isTaken && line.isEmpty && count < Self.highWater }

    /// Takes the turn, if that is possible without waiting.
    mutating func takeTurn() -> Bool {
        guard isFree else { return false }
        isTaken = true
        return true
    }

    /// Gives the turn back, and returns the next sender, which has it now.
    mutating func giveTurn() -> Waiter? {
        isTaken = false
        return nextInLine()
    }

    /// The identity of a sender that has to wait.
    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Takes the turn, or lets a sender wait for it; `nil` if the sender was cancelled.
    mutating func takeTurn(_ waiter: Waiter, _ id: Int) -> Bool? {
        guard cancelled.remove(id) == nil else { return nil }
        if takeTurn() { return true }
        line.append((id, waiter))
        return false
    }

    /// Cancels a sender, and returns it if it waits.
    mutating func cancel(_ id: Int) -> Waiter? {
        if holder?.id == id { return holder.take()?.waiter }
        guard let place = line.firstIndex(where: { $0.id == id }) else {
            cancelled.insert(id)
            return nil
        }
        return line.remove(at: place).waiter
    }

    /// Lets the sender that has the turn wait for room; `false` if there is some, `nil` if it was cancelled.
    mutating func waitForRoom(_ waiter: Waiter, _ id: Int) -> Bool? {
        guard cancelled.remove(id) == nil else { return nil }
        guard count >= Self.highWater else { return false }
        holder = (id, waiter)
        return true
    }

    /// Forgets a sender that no longer waits.
    mutating func forget(_ id: Int) { if !cancelled.isEmpty { cancelled.remove(id) } }

    /// Returns all senders that wait, because nothing more is sent.
    mutating func removeLine() -> [Waiter] {
        defer { (line, holder) = ([], nil) }
        return line.map(\.waiter) + (holder.map { [$0.waiter] } ?? [])
    }

    private mutating func nextInLine() -> Waiter? {
        guard !isTaken, !line.isEmpty, count < Self.highWater else { return nil }
        isTaken = true
        return line.removeFirst().waiter
    }

    // MARK: Frames

    /// Adds bytes that a closure appends to a piece of memory.
    mutating func add(_ size: Int, _ write: (inout [UInt8]) -> Void) {
        if let last = pieces.indices.last, last >= first, pieces[last].count + size <= Self.pieceSize {
            let before = pieces[last].count
            write(&pieces[last])
            count += pieces[last].count - before
        } else {
            var piece: [UInt8] = []
            piece.reserveCapacity(size)
            write(&piece)
            add(piece)
        }
    }

    /// Adds a piece of memory.
    mutating func add(_ piece: [UInt8]) {
        pieces.append(piece)
        count += piece.count
    }

    /// Returns whether the transport must be told of bytes, or with `isEnd`, of the end after them.
    mutating func announces(isEnd: Bool = false) -> Bool {
        guard !isAnnounced, count > 0 || isEnd else { return false }
        isAnnounced = true
        return true
    }

    /// Drops all bytes.
    mutating func removeAll() {
        (pieces, first, start, count) = ([], 0, 0, 0)
    }

    // MARK: The transport

    /// Copies the next bytes; returns their number, and the next sender, which has the turn now.
    mutating func read(into room: UnsafeMutableRawBufferPointer) -> (count: Int, next: Waiter?) {
        var copied = 0
        while copied < room.count, copied < count {
            let part = min(room.count - copied, pieces[first].count - start)
            pieces[first].withUnsafeBytes { bytes in
                let target = UnsafeMutableRawBufferPointer(rebasing: room[copied..<(copied + part)])
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + part)]))
            }
            copied += part
            start += part
            if start == pieces[first].count { removeFirst() }
        }
        count -= copied
        if count == 0 { isAnnounced = false }
        guard count < Self.highWater / 2 else { return (copied, nil) }
        return (copied, holder.take()?.waiter ?? nextInLine())
    }

    private mutating func removeFirst() {
        start = 0
        if first + 1 == pieces.count {
            // Small memory is kept for the next frame.
            let isSmall = pieces.count == 1 && pieces[0].capacity <= 1024
            if isSmall { pieces[0].removeAll(keepingCapacity: true) } else { pieces = [] }
            first = 0
            return
        }
        pieces[first] = []
        first += 1
        if first >= 32 {
            pieces.removeFirst(first)
            first = 0
        }
    }
}
