#if os(Linux)
/// Lookups and similar work on other threads, shared by all waiters for the same key.
package struct PendingLookups<Key: Hashable, Waiter> {
    private var waiters: [Key: [Waiter]] = [:]

    /// Creates an empty table.
    package init() {}

    /// The number of lookups that are under way.
    package var count: Int { waiters.count }

    /// Adds a waiter for a key, and returns whether to start a lookup because none is under way.
    package mutating func add(_ waiter: Waiter, for key: Key) -> Bool {
        guard waiters[key] != nil else {
            waiters[key] = [waiter]
            return true
        }
        waiters[key]?.append(waiter)
        return false
    }

    /// Removes the waiters for a key that match a condition.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isMeant: Whether to remove a waiter.
    /// - Returns: Whether the lookup is under way, and has no waiters left.
    package mutating func remove(from key: Key, where isMeant: (Waiter) -> Bool) -> Bool {
        waiters[key]?.removeAll(where: isMeant)
        return waiters[key]?.isEmpty == true
    }

    /// Ends a lookup, and returns its waiters in their order.
    package mutating func end(_ key: Key) -> [Waiter] {
        waiters.removeValue(forKey: key) ?? []
    }
}
#endif
