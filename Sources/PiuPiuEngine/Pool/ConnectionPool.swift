/// The idle connections of an event loop, and until when each may be used again; a pure value.
///
///     in use ── add ──▶ idle ── take ──▶ in use …
///                         └── remove, too old, or too many ──▶ gone
///
/// The connection that was used last is taken first, because the server is least likely to have closed it, and the others can
/// expire. All times are in nanoseconds of the same clock.
package struct ConnectionPool<Key: Hashable, Connection: AnyObject> {
    private struct Entry {
        let connection: Connection
        let since: Int64
        let until: Int64
    }

    /// The connections by their keys, with the most recently used one at the end.
    ///
    /// An empty list stays for a while, so that the next connection of the same key needs no allocation.
    private var entries: [Key: [Entry]] = [:]
    private var emptyCount = 0

    /// The number of idle connections.
    package private(set) var count = 0

    /// The number of lists, including empty ones.
    var listCount: Int { entries.count }

    package init() {}

    /// Adds a connection that has become idle.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - key: The properties that requests on the connection must share.
    ///   - now: The current time.
    ///   - until: When the connection is too old to be used again.
    package mutating func add(_ connection: Connection, to key: Key, now: Int64, until: Int64) {
        let entry = Entry(connection: connection, since: now, until: until)
        if let place = entries.index(forKey: key) {
            if entries.values[place].isEmpty { emptyCount -= 1 }
            entries.values[place].append(entry)
        } else {
            entries[key] = [entry]
        }
        count += 1
        nextAge = min(nextAge, until)
    }

    /// The connection of a key that was used last; `nil` if there is none.
    package func first(in key: Key) -> Connection? { entries[key]?.last?.connection }

    /// Takes the connection of a key that was used last, and returns whether it can still be used; `nil` if there is none.
    package mutating func take(from key: Key, now: Int64) -> (connection: Connection, isFresh: Bool)? {
        guard let place = entries.index(forKey: key), let entry = entries.values[place].popLast() else { return nil }
        count -= 1
        if entries.values[place].isEmpty { noteEmptyList() }
        return (entry.connection, entry.until > now)
    }

    /// Removes a connection; does nothing if it is not in the pool.
    package mutating func remove(_ connection: Connection, from key: Key) {
        guard let place = entries.index(forKey: key),
            let index = entries.values[place].lastIndex(where: { $0.connection === connection })
        else { return }
        entries.values[place].remove(at: index)
        count -= 1
        if entries.values[place].isEmpty { noteEmptyList() }
    }

    /// Records that a list became empty; if there are many empty lists, and more than others, it removes all of them.
    private mutating func noteEmptyList() {
        emptyCount += 1
        guard emptyCount > 64, emptyCount > entries.count / 2 else { return }
        entries = entries.filter { !$0.value.isEmpty }
        emptyCount = 0
    }

    /// Takes the connection that has been idle longest, to make room for another; `nil` if there is none.
    package mutating func takeOldest() -> Connection? {
        guard let (key, list) = entries.min(by: { ($0.value.first?.since ?? .max) < ($1.value.first?.since ?? .max) }),
            let oldest = list.first
        else { return nil }
        remove(oldest.connection, from: key)
        return oldest.connection
    }

    /// Takes the connections that are too old.
    package mutating func takeOld(now: Int64) -> [Connection] {
        let old = take { $1.until <= now }
        nextAge = entries.values.reduce(.max) { first, list in list.reduce(first) { min($0, $1.until) } }
        return old
    }

    /// Takes the connections for which a condition holds.
    package mutating func takeAll(where isMeant: (Connection) -> Bool) -> [Connection] {
        take { isMeant($1.connection) }
    }

    /// When the first connection may be too old; `Int64.max` if there is none.
    ///
    /// After a connection was taken, this can be too early, but never too late.
    package private(set) var nextAge = Int64.max

    private mutating func take(_ isMeant: (Key, Entry) -> Bool) -> [Connection] {
        var taken: [Connection] = []
        for (key, list) in entries where list.contains(where: { isMeant(key, $0) }) {
            let kept = list.filter { !isMeant(key, $0) }
            taken += list.filter { isMeant(key, $0) }.map(\.connection)
            entries[key] = kept.isEmpty ? nil : kept
        }
        count -= taken.count
        return taken
    }
}
