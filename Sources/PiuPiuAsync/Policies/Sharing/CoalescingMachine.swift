/// The logic of ``Coalescing``: which calls wait for which exchange, as a pure value.
///
///      join ──▶ open ── finish ──────────────▶ over: every waiter gets the result
///     (the first │ └─── the last leaves ─────▶ over: the exchange is cancelled
///      begins)   ├─ seal ──▶ sealed: as open, but takes no more waiters
///                └─ its limit passes ──▶ due ── finish ──▶ over
///                                         └─── expire ──┬▶ open: those with time left wait for the next exchange
///                                                       └▶ over: nobody has time left
///
/// - A group is the calls with a key that wait together. It has one exchange at a time, whose limit is that of the waiter
///   that begins it; `nil` for none. An open group takes further waiters; a sealed one keeps those that it has. One that
///   is over is forgotten, so the next call with its key begins another.
/// - An exchange ends once: with `finish`, when its last waiter leaves before its limit, or with `expire`. Later events with
///   its number are ignored. A due exchange is not cancelled when its last waiter leaves: it ends by its limit, so that
///   everything below sees a timeout. The owner calls `expire` at the limit, whatever the exchange does.
/// - `expire` removes the waiters whose time is over. If others are left, the one with the latest limit has to begin
///   the next exchange. A waiter begins at most one exchange, and each limit is later than the one before, so that the
///   number of exchanges is bounded by that of the calls.
/// - A waiter that has to begin an exchange calls `start`, even if it left in the meantime: the others wait for it.
/// - A waiter is removed once, by `leave`, `finish` or `expire`. The owner resumes what they return, and cancels what they or
///   `begin` return, outside its lock.
struct CoalescingMachine<Key: Hashable, Waiter, Exchange, Instant: Comparable> {
    /// A place among the waiters of a group.
    struct Ticket: Hashable, Sendable {
        let group: Int
        let waiter: Int
    }

    /// One of the exchanges of a group.
    struct ID: Hashable, Sendable {
        let group: Int
        let number: Int
    }

    /// What happens when the limit of an exchange has passed.
    struct Expiry {
        /// The waiters whose time is over.
        var over: [Waiter] = []
        /// The waiter that has to begin the next exchange, if any are left.
        var heir: Waiter?
        /// The next exchange.
        var next: ID?
        /// The exchange, which may still be under way.
        var exchange: Exchange?
    }

    private struct Place {
        var waiter: Waiter
        let limit: Instant?
    }

    private struct Group {
        let key: Key
        var number = 1
        var limit: Instant?
        var exchange: Exchange?
        var places: [Int: Place] = [:]
        var progress = TransferProgress(direction: .receiving)

        var inOrder: [Waiter] { places.sorted { $0.key < $1.key }.map(\.value.waiter) }
    }

    private var groups: [Int: Group] = [:]
    private var open: [Key: Int] = [:]
    private var nextID = 0

    /// Whether there are no exchanges.
    var isEmpty: Bool { groups.isEmpty }

    /// How many calls wait.
    var waiterCount: Int { groups.values.reduce(0) { $0 + $1.places.count } }

    /// Adds a waiter to the open group with its key.
    ///
    /// - Parameters:
    ///   - key: What the call asks for.
    ///   - waiter: The waiter.
    ///   - limit: When the call ends at the latest; `nil` for no limit.
    /// - Returns: The waiter's place, and the exchange that it has to begin if it is the first: the caller then starts it and
    ///   passes it to ``begin(_:as:)``.
    mutating func join(_ key: Key, _ waiter: Waiter, until limit: Instant?) -> (ticket: Ticket, first: ID?) {
        nextID += 1
        let id = open[key] ?? nextID
        let isFirst = id == nextID
        if isFirst {
            open[key] = id
            groups[id] = Group(key: key, limit: limit)
        }
        groups[id]?.places[nextID] = Place(waiter: waiter, limit: limit)
        return (Ticket(group: id, waiter: nextID), isFirst ? ID(group: id, number: 1) : nil)
    }

    /// Returns whether anybody waits for an exchange that an heir is about to begin; otherwise the group is over.
    mutating func start(_ id: ID) -> Bool {
        guard let group = groups[id.group], group.number == id.number else { return false }
        if group.places.isEmpty { remove(id.group) }
        return !group.places.isEmpty
    }

    /// Keeps an exchange that was started, to cancel it later.
    ///
    /// - Returns: The exchange, to be cancelled, if it is already over.
    mutating func begin(_ exchange: Exchange, as id: ID) -> Exchange? {
        guard groups[id.group]?.number == id.number else { return exchange }
        groups[id.group]?.exchange = exchange
        return nil
    }

    /// Removes a waiter.
    ///
    /// - Parameters:
    ///   - ticket: The waiter's place.
    ///   - now: The present.
    /// - Returns: The waiter, and the exchange, to be cancelled, if this was its last waiter and it is not due; `nil` if the
    ///   waiter was removed before.
    mutating func leave(_ ticket: Ticket, at now: Instant) -> (waiter: Waiter, cancelled: Exchange?)? {
        guard let place = groups[ticket.group]?.places.removeValue(forKey: ticket.waiter) else { return nil }
        guard let group = groups[ticket.group], group.places.isEmpty else { return (place.waiter, nil) }
        if let limit = group.limit, limit <= now { return (place.waiter, nil) }
        remove(ticket.group)
        return (place.waiter, group.exchange)
    }

    /// Ends an exchange that has a result.
    ///
    /// - Returns: The waiters to resume, in the order in which they joined.
    mutating func finish(_ id: ID) -> [Waiter] {
        guard let group = groups[id.group], group.number == id.number else { return [] }
        remove(id.group)
        return group.inOrder
    }

    /// Ends an exchange because of its limit.
    ///
    /// - Parameters:
    ///   - id: The exchange.
    ///   - now: The present, which may be before the limit if something could not be done in time.
    ///   - successor: Takes the place of the waiter that has to begin the next exchange, until that ends.
    /// - Returns: What happens.
    mutating func expire(_ id: ID, at now: Instant, successor: (_ heir: Waiter) -> Waiter) -> Expiry {
        guard var group = groups[id.group], group.number == id.number else { return Expiry() }
        var expiry = Expiry(exchange: group.exchange)
        let end = group.limit.map { max($0, now) } ?? now
        let isOver = group.places.filter { $0.value.limit.map { $0 <= end } ?? false }
        expiry.over = isOver.sorted { $0.key < $1.key }.map(\.value.waiter)
        for waiter in isOver.keys { group.places[waiter] = nil }
        // The earliest of those with the latest limit, or with none.
        let heir = group.places.min { first, second in
            switch (first.value.limit, second.value.limit) {
            case (nil, nil): first.key < second.key
            case (nil, _): true
            case (_, nil): false
            case (let one?, let other?): one == other ? first.key < second.key : one > other
            }
        }
        guard let heir else {
            remove(id.group)
            return expiry
        }
        group.number += 1
        (group.limit, group.exchange) = (heir.value.limit, nil)
        group.progress = TransferProgress(direction: .receiving)
        group.places[heir.key]?.waiter = successor(heir.value.waiter)
        groups[id.group] = group
        // What begins after a write is not older than it.
        if open[group.key] == nil { open[group.key] = id.group }
        expiry.heir = heir.value.waiter
        expiry.next = ID(group: id.group, number: group.number)
        return expiry
    }

    /// Records progress of an exchange.
    ///
    /// - Parameters:
    ///   - id: The exchange.
    ///   - change: Changes the progress.
    /// - Returns: The waiters to tell about the change.
    mutating func advance(_ id: ID, _ change: (inout TransferProgress) -> Void) -> [Waiter] {
        guard let group = groups[id.group], group.number == id.number else { return [] }
        var progress = group.progress
        change(&progress)
        groups[id.group]?.progress = progress
        return group.inOrder
    }

    /// Returns the progress that a new waiter has missed.
    func progress(of ticket: Ticket) -> TransferProgress? { groups[ticket.group]?.progress }

    /// Lets no more waiters join some exchanges.
    ///
    /// - Parameter isAffected: Whether the exchange with a key is one of them.
    mutating func seal(_ isAffected: (Key) -> Bool) {
        for key in open.keys where isAffected(key) { open[key] = nil }
    }

    private mutating func remove(_ id: Int) {
        guard let group = groups.removeValue(forKey: id) else { return }
        if open[group.key] == id { open[group.key] = nil }
    }
}

extension CoalescingMachine.Expiry: Sendable where Waiter: Sendable, Exchange: Sendable {}
