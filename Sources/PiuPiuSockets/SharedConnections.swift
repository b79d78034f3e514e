/// The assignment of exchanges to shared HTTP/2 connections, and the exchanges that wait for one, as a pure value.
///
/// | State of the key | Action of a new exchange |
/// |---|---|
/// | unknown | opens its own connection |
/// | a connection has room | runs on the oldest one with room |
/// | no room, and no exchange is opening a connection | becomes the opener: the only exchange that opens a connection |
/// | no room, and an exchange is opening a connection | waits |
///
/// When the opener finishes or gives up, or a connection gets room, ``next(_:)`` returns the next step of a waiting exchange. A
/// key is known from its first shared connection until ``forget(_:)``. The gate, not this type, decides whether another
/// connection to the server may be opened.
struct SharedConnections<Key: Hashable, Connection: SharedConnection, Waiter: Hashable> {
    enum Placement {
        case run(Connection)
        case open
        case wait
    }

    enum Step {
        case run(Waiter, Connection)
        case open(Waiter)
    }

    private struct Entry {
        /// The connections that carry exchanges, oldest first.
        var connections: [Connection] = []
        var opener: Waiter?
        /// Exchanges that were sent without success; they have waited longest.
        var returned = FIFO<Waiter>()
        var waiting = FIFO<Waiter>()

        var isIdle: Bool { connections.isEmpty && opener == nil && returned.isEmpty && waiting.isEmpty }
        var available: Connection? { connections.first { $0.room > 0 } }

        var waiterCount: Int { waiting.count + returned.count }

        mutating func popFirst() -> Waiter? { returned.popFirst() ?? waiting.popFirst() }

        mutating func place(_ waiter: Waiter, isReturned: Bool) -> Placement {
            if isReturned || waiterCount == 0, let connection = available { return .run(connection) }
            guard opener != nil else {
                opener = waiter
                return .open
            }
            if isReturned { returned.append(waiter) } else { waiting.append(waiter) }
            return .wait
        }

        mutating func next() -> Step? {
            if let connection = available { return popFirst().map { .run($0, connection) } }
            guard opener == nil, let waiter = popFirst() else { return nil }
            opener = waiter
            return .open(waiter)
        }
    }

    /// The numbers of openers and of waiting exchanges over all keys; usually 0, which saves the lookup of a key.
    private struct Totals {
        var openers = 0
        var waiters = 0

        mutating func change<Result>(_ entry: inout Entry, _ change: (inout Entry) -> Result) -> Result {
            openers -= entry.opener == nil ? 0 : 1
            waiters -= entry.waiterCount
            defer {
                openers += entry.opener == nil ? 0 : 1
                waiters += entry.waiterCount
            }
            return change(&entry)
        }
    }

    /// The number of known keys at which the idle ones are removed.
    static var rememberedKeys: Int { 1024 }

    private var entries: [Key: Entry] = [:]
    private var totals = Totals()

    /// Whether no key is known, which makes every query fast.
    var isEmpty: Bool { entries.isEmpty }

    /// All connections that carry exchanges.
    var connections: [Connection] { entries.values.flatMap(\.connections) }

    /// Whether the server of a key is known to share connections.
    func isKnown(_ key: Key) -> Bool { entries[key] != nil }

    /// A connection that has room for another exchange.
    func available(_ key: Key) -> Connection? {
        guard !isEmpty, let place = entries.index(forKey: key) else { return nil }
        return entries.values[place].available
    }

    /// The exchange that opens the next connection; `nil` for none.
    func opener(_ key: Key) -> Waiter? { totals.openers == 0 ? nil : entries[key]?.opener }

    /// The number of waiting exchanges.
    func waitingCount(_ key: Key) -> Int { entries[key]?.waiterCount ?? 0 }

    /// Decides whether an exchange runs, opens a connection or waits; it goes first if it was sent before without success.
    mutating func place(_ waiter: Waiter, _ key: Key, isReturned: Bool = false) -> Placement {
        isEmpty ? .open : change(key) { $0.place(waiter, isReturned: isReturned) } ?? .open
    }

    /// Adds a waiting exchange unconditionally.
    mutating func wait(_ waiter: Waiter, _ key: Key) { change(key) { $0.waiting.append(waiter) } }

    /// Records that the server of a key shares connections, before one exists.
    mutating func know(_ key: Key) {
        guard entries[key] == nil else { return }
        makeRoom()
        entries[key] = Entry()
    }

    /// Adds a connection; the waiter is the exchange that opened it, or that took it while it was idle.
    mutating func add(_ connection: Connection, _ key: Key, by waiter: Waiter) {
        if entries[key] == nil { makeRoom() }
        entries[key, default: Entry()].connections.append(connection)
        end(opener: waiter, key)
    }

    /// Removes a connection that is idle, closed, or accepts no more exchanges.
    mutating func remove(_ connection: Connection, _ key: Key) {
        entries[key]?.connections.removeAll { $0 === connection }
    }

    /// Records that an exchange is no longer the opener; does nothing if it was not.
    mutating func end(opener waiter: Waiter, _ key: Key) {
        guard totals.openers > 0 else { return }
        change(key) { if $0.opener == waiter { $0.opener = nil } }
    }

    /// Removes a waiting exchange; does nothing if it is not waiting.
    mutating func cancel(_ waiter: Waiter, _ key: Key) {
        guard totals.waiters > 0 else { return }
        change(key) { entry in
            entry.waiting.remove(waiter)
            entry.returned.remove(waiter)
        }
    }

    /// Returns the next step of a waiting exchange; `nil` if none can continue.
    mutating func next(_ key: Key) -> Step? {
        totals.waiters == 0 ? nil : change(key) { $0.next() } ?? nil
    }

    /// Records that a server no longer shares connections, and returns the waiting exchanges in order.
    mutating func forget(_ key: Key) -> [Waiter] {
        guard entries[key]?.connections.isEmpty == true else { return [] }
        var list: [Waiter] = []
        change(key) { entry in
            entry.opener = nil
            while let waiter = entry.popFirst() { list.append(waiter) }
        }
        entries[key] = nil
        return list
    }

    /// Changes the entry of a key in place, and updates the totals; returns `nil` if the key is unknown.
    @discardableResult
    private mutating func change<Result>(_ key: Key, _ change: (inout Entry) -> Result) -> Result? {
        guard let place = entries.index(forKey: key) else { return nil }
        return totals.change(&entries.values[place], change)
    }

    /// Removes idle keys if there are many.
    private mutating func makeRoom() {
        guard entries.count >= Self.rememberedKeys else { return }
        entries = entries.filter { !$0.value.isIdle }
    }
}

/// A connection that several exchanges share.
protocol SharedConnection: AnyObject {
    /// The number of exchanges that may start now.
    var room: Int { get }
}
