/// Which exchanges share the connections of HTTP/2, and which wait for one, as a pure value.
///
/// | What is known of a key | An exchange comes | Then |
/// |---|---|---|
/// | nothing | | it opens a connection of its own |
/// | a connection with room | | it runs there, on the oldest |
/// | no room, and nobody opens another | | it is the opener: the only one that opens a connection |
/// | no room, and somebody opens another | | it waits |
///
/// When the opener is done, or gives up, or there is room elsewhere, ``next(_:)`` says who goes on. A key is known from the
/// first connection on that turned out to be shared, until ``forget(_:)``. Whether the server may be asked for another
/// connection is the gate's decision, not this one's.
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
        /// Those that were sent in vain; they have waited for longest.
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

    /// How many open connections, and wait, whatever their key: mostly none, and then no key has to be looked up.
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

    /// The number of keys without connections that are remembered.
    static var rememberedKeys: Int { 1024 }

    private var entries: [Key: Entry] = [:]
    private var totals = Totals()

    /// Whether no key is known, which makes every question quick.
    var isEmpty: Bool { entries.isEmpty }

    /// All connections that carry exchanges.
    var connections: [Connection] { entries.values.flatMap(\.connections) }

    /// Whether the server of a key is known to share connections.
    func isKnown(_ key: Key) -> Bool { entries[key] != nil }

    /// A connection with room for one more.
    func available(_ key: Key) -> Connection? {
        guard !isEmpty, let place = entries.index(forKey: key) else { return nil }
        return entries.values[place].available
    }

    /// The exchange that opens the next connection; `nil` for none.
    func opener(_ key: Key) -> Waiter? { totals.openers == 0 ? nil : entries[key]?.opener }

    /// The number of exchanges that wait.
    func waitingCount(_ key: Key) -> Int { entries[key]?.waiterCount ?? 0 }

    /// Decides about an exchange.
    ///
    /// - Parameters:
    ///   - waiter: The exchange.
    ///   - key: What it has in common with others.
    ///   - isReturned: Whether it was sent in vain, so that it goes before those that were not.
    /// - Returns: What it does.
    mutating func place(_ waiter: Waiter, _ key: Key, isReturned: Bool = false) -> Placement {
        isEmpty ? .open : change(key) { $0.place(waiter, isReturned: isReturned) } ?? .open
    }

    /// Adds an exchange to those that wait, without asking.
    mutating func wait(_ waiter: Waiter, _ key: Key) { change(key) { $0.waiting.append(waiter) } }

    /// Records that the server of a key shares connections, before there is one.
    mutating func know(_ key: Key) {
        guard entries[key] == nil else { return }
        makeRoom()
        entries[key] = Entry()
    }

    /// Adds a connection that carries an exchange.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - key: The key.
    ///   - waiter: The exchange that opened it, or took it when it was idle.
    mutating func add(_ connection: Connection, _ key: Key, by waiter: Waiter) {
        if entries[key] == nil { makeRoom() }
        entries[key, default: Entry()].connections.append(connection)
        end(opener: waiter, key)
    }

    /// Removes a connection that is idle, closed, or takes no more exchanges.
    mutating func remove(_ connection: Connection, _ key: Key) {
        entries[key]?.connections.removeAll { $0 === connection }
    }

    /// Records that an exchange no longer opens a connection; does nothing if it did not.
    mutating func end(opener waiter: Waiter, _ key: Key) {
        guard totals.openers > 0 else { return }
        change(key) { if $0.opener == waiter { $0.opener = nil } }
    }

    /// Removes an exchange that waits; does nothing if it does not.
    mutating func cancel(_ waiter: Waiter, _ key: Key) {
        guard totals.waiters > 0 else { return }
        change(key) { entry in
            entry.waiting.remove(waiter)
            entry.returned.remove(waiter)
        }
    }

    /// Says which of those that wait goes on; `nil` if none does.
    mutating func next(_ key: Key) -> Step? {
        totals.waiters == 0 ? nil : change(key) { $0.next() } ?? nil
    }

    /// Records that a server does not share connections any more.
    ///
    /// - Returns: Those that waited, in their order.
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

    /// Changes what is known of a key in place, and updates the totals; returns `nil` if nothing is known of it.
    @discardableResult
    private mutating func change<Result>(_ key: Key, _ change: (inout Entry) -> Result) -> Result? {
        guard let place = entries.index(forKey: key) else { return nil }
        return totals.change(&entries.values[place], change)
    }

    /// Forgets the idle keys if there are many.
    private mutating func makeRoom() {
        guard entries.count >= Self.rememberedKeys else { return }
        entries = entries.filter { !$0.value.isIdle }
    }
}

/// A connection that several exchanges share.
protocol SharedConnection: AnyObject {
    /// How many more exchanges may begin now.
    var room: Int { get }
}
