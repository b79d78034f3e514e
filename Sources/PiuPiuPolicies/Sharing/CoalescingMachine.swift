/// The logic of ``Coalescing``, as a pure value: which calls wait for which exchange.
///
///      join ──▶ open ── finish ──────────────▶ over: every waiter gets the result
///     (the first │ └─── the last leaves ─────▶ over: the exchange is cancelled
///      begins)   ├─ seal ──▶ sealed: as open, but takes no more waiters
///                └─ its limit passes ──▶ due ── finish ──▶ over
///                                         └─── expire ──┬▶ open: waiters with time left wait for the next exchange
///                                                       └▶ over: no waiter has time left
///
/// - A group consists of the calls with a key that wait together. It has one exchange at a time, whose limit is that of the
///   waiter that starts it; `nil` for none. An open group accepts more waiters; a sealed one keeps those it has. A finished
///   group is forgotten, so the next call with its key starts another.
/// - An exchange ends once: with `finish`, when its last waiter leaves before its limit, or with `expire`. Later events with
///   its number are ignored. A due exchange is not cancelled when its last waiter leaves: it ends by its limit, so that
///   everything below sees a timeout. The owner calls `expire` at the limit, whatever the state of the exchange.
/// - `expire` removes the waiters whose time is over. If others are left, the one with the latest limit has to start the next
///   exchange. A waiter starts at most one exchange, and each limit is later than the previous one, so that the number of
///   exchanges is at most that of the calls.
/// - A waiter that has to start an exchange calls `start`, even if it left in the meantime: the others wait for it.
/// - A waiter is removed once, by `leave`, `finish` or `expire`. The owner resumes the waiters that they return, and cancels
///   the exchanges that they or `begin` return, outside its lock.
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

    /// The result of an expired limit.
    struct Expiry {
        /// The waiters whose time is over.
        var over: [Waiter] = []
        /// The waiter that has to start the next exchange, if any is left.
        var heir: Waiter?
        /// The next exchange.
        var next: ID?
        /// The exchange, which may still be in progress.
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

    /// The number of waiting calls.
    var waiterCount: Int { groups.values.reduce(0) { $0 + $1.places.count } }

    /// Adds a waiter to the open group with its key.
    ///
    /// - Parameters:
    ///   - key: The key of the call.
    ///   - waiter: The waiter.
    ///   - limit: The latest end of the call; `nil` for no limit.
    /// - Returns: The waiter's place, and the exchange that the first waiter has to start: the caller starts it and passes it
    ///   to ``begin(_:as:)``.
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

    /// Returns whether any call waits for an exchange that an heir is about to start; otherwise the group is over.
    mutating func start(_ id: ID) -> Bool {
        guard let group = groups[id.group], group.number == id.number else { return false }
        if group.places.isEmpty { remove(id.group) }
        return !group.places.isEmpty
    }

    /// Keeps a started exchange, to cancel it later; returns it if it is already over and must be cancelled now.
    mutating func begin(_ exchange: Exchange, as id: ID) -> Exchange? {
        guard groups[id.group]?.number == id.number else { return exchange }
        groups[id.group]?.exchange = exchange
        return nil
    }

    /// Removes a waiter; returns the exchange to cancel, if this was its last waiter and it is not due.
    ///
    /// The result is `nil` if the waiter was removed before.
    mutating func leave(_ ticket: Ticket, at now: Instant) -> (waiter: Waiter, cancelled: Exchange?)? {
        guard let place = groups[ticket.group]?.places.removeValue(forKey: ticket.waiter) else { return nil }
        guard let group = groups[ticket.group], group.places.isEmpty else { return (place.waiter, nil) }
        if let limit = group.limit, limit <= now { return (place.waiter, nil) }
        remove(ticket.group)
        return (place.waiter, group.exchange)
    }

    /// Ends an exchange that has a result, and returns the waiters to resume, in the order in which they joined.
    mutating func finish(_ id: ID) -> [Waiter] {
        guard let group = groups[id.group], group.number == id.number else { return [] }
        remove(id.group)
        return group.inOrder
    }

    /// Ends an exchange at its limit.
    ///
    /// - Parameters:
    ///   - id: The exchange.
    ///   - now: The present, which may be before the limit if a step would not have ended in time.
    ///   - successor: Creates the waiter that takes the place of the heir until the next exchange ends.
    /// - Returns: The result.
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
        // The new exchange starts after the write, so that it is not older.
        if open[group.key] == nil { open[group.key] = id.group }
        expiry.heir = heir.value.waiter
        expiry.next = ID(group: id.group, number: group.number)
        return expiry
    }

    /// Records progress of an exchange, and returns the waiters to inform.
    mutating func advance(_ id: ID, _ change: (inout TransferProgress) -> Void) -> [Waiter] {
        guard let group = groups[id.group], group.number == id.number else { return [] }
        var progress = group.progress
        change(&progress)
        groups[id.group]?.progress = progress
        return group.inOrder
    }

    /// Returns the progress that a new waiter has missed.
    func progress(of ticket: Ticket) -> TransferProgress? { groups[ticket.group]?.progress }

    /// Seals the exchanges for whose key the closure returns `true`: no more waiters can join them.
    mutating func seal(_ isAffected: (Key) -> Bool) {
        for key in open.keys where isAffected(key) { open[key] = nil }
    }

    private mutating func remove(_ id: Int) {
        guard let group = groups.removeValue(forKey: id) else { return }
        if open[group.key] == id { open[group.key] = nil }
    }
}

extension CoalescingMachine.Expiry: Sendable where Waiter: Sendable, Exchange: Sendable {}
