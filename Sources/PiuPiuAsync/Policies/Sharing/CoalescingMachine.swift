/// The logic of ``Coalescing``: which calls wait for which exchange, as a pure value.
///
///      join ──▶ open ── finish ──────────────▶ over: every waiter gets the result
///     (the first │ └─── the last leaves ─────▶ over: the exchange is cancelled
///      begins)   │
///                └─ seal ──▶ sealed ── finish, or the last leaves ──▶ over
///
/// - An open exchange takes further waiters; a sealed one keeps those that it has. One that is over is forgotten, so the
///   next call with its key begins another.
/// - The exchange ends once, with `finish` or when its last waiter leaves. It is removed in the same step: a call that
///   joins gets the result or begins a new exchange.
/// - A waiter belongs to one exchange until it leaves or the exchange finishes. Whatever comes later is ignored.
/// - The owner cancels what `leave` and `begin` return, and resumes what `finish` returns, outside its lock.
struct CoalescingMachine<Key: Hashable, Waiter, Exchange> {
    /// A place among the waiters of an exchange.
    struct Ticket: Hashable, Sendable {
        let exchange: Int
        let waiter: Int
    }

    private struct Entry {
        let key: Key
        var exchange: Exchange?
        var waiters: [Int: Waiter] = [:]
        var progress = TransferProgress(direction: .receiving)

        var inOrder: [Waiter] { waiters.sorted { $0.key < $1.key }.map(\.value) }
    }

    private var entries: [Int: Entry] = [:]
    private var open: [Key: Int] = [:]
    private var nextID = 0

    /// Whether there are no exchanges.
    var isEmpty: Bool { entries.isEmpty }

    /// How many calls wait.
    var waiterCount: Int { entries.values.reduce(0) { $0 + $1.waiters.count } }

    /// Adds a waiter to the open exchange with its key.
    ///
    /// - Returns: The waiter's place, and whether it is the first: the caller then starts the exchange and passes it to
    ///   ``begin(_:as:)``.
    mutating func join(_ key: Key, _ waiter: Waiter) -> (ticket: Ticket, isFirst: Bool) {
        nextID += 1
        let id = open[key] ?? nextID
        let ticket = Ticket(exchange: id, waiter: nextID)
        let isFirst = id == nextID
        if isFirst {
            open[key] = id
            entries[id] = Entry(key: key)
        }
        entries[id]?.waiters[nextID] = waiter
        return (ticket, isFirst)
    }

    /// Keeps an exchange that was started, to cancel it later.
    ///
    /// - Returns: The exchange, to be cancelled, if it is already over.
    mutating func begin(_ exchange: Exchange, as id: Int) -> Exchange? {
        guard entries[id] != nil else { return exchange }
        entries[id]?.exchange = exchange
        return nil
    }

    /// Removes a waiter.
    ///
    /// - Returns: The exchange, to be cancelled, if this was its last waiter.
    mutating func leave(_ ticket: Ticket) -> Exchange? {
        guard entries[ticket.exchange]?.waiters.removeValue(forKey: ticket.waiter) != nil else { return nil }
        guard entries[ticket.exchange]?.waiters.isEmpty == true else { return nil }
        return remove(ticket.exchange)?.exchange
    }

    /// Ends an exchange that has a result.
    ///
    /// - Returns: The waiters to resume, in the order in which they joined.
    mutating func finish(_ id: Int) -> [Waiter] {
        guard let entry = remove(id) else { return [] }
        return entry.inOrder
    }

    /// Records progress of an exchange.
    ///
    /// - Parameters:
    ///   - id: The exchange.
    ///   - change: Changes the progress.
    /// - Returns: The waiters to tell about the change.
    mutating func advance(_ id: Int, _ change: (inout TransferProgress) -> Void) -> [Waiter] {
        guard var progress = entries[id]?.progress else { return [] }
        change(&progress)
        entries[id]?.progress = progress
        return entries[id]?.inOrder ?? []
    }

    /// Returns the progress that a new waiter has missed.
    func progress(of id: Int) -> TransferProgress? { entries[id]?.progress }

    /// Lets no more waiters join some exchanges.
    ///
    /// - Parameter isAffected: Whether the exchange with a key is one of them.
    mutating func seal(_ isAffected: (Key) -> Bool) {
        for key in open.keys where isAffected(key) { open[key] = nil }
    }

    private mutating func remove(_ id: Int) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        if open[entry.key] == id { open[entry.key] = nil }
        return entry
    }
}
