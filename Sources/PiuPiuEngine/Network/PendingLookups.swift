#if os(Linux)
/// What is being found out on other threads, such as the addresses of a name, so that all who need the same wait for one.
package struct PendingLookups<Key: Hashable, Waiter> {
    private var waiters: [Key: [Waiter]] = [:]

    /// Creates an empty table.
    package init() {}

    /// The number of things that are being found out.
    package var count: Int { waiters.count }

    /// Adds what waits for a name.
    ///
    /// - Parameters:
    ///   - waiter: What waits.
    ///   - key: The name.
    /// - Returns: Whether a lookup has to be started, because none is under way.
    package mutating func add(_ waiter: Waiter, for key: Key) -> Bool {
        guard waiters[key] != nil else {
            waiters[key] = [waiter]
            return true
        }
        waiters[key]?.append(waiter)
        return false
    }

    /// Removes what does not wait any longer.
    ///
    /// - Parameters:
    ///   - key: What it waited for.
    ///   - isMeant: Whether a waiter is the one.
    /// - Returns: Whether the lookup is under way, and nothing waits for it any longer.
    package mutating func remove(from key: Key, where isMeant: (Waiter) -> Bool) -> Bool {
        waiters[key]?.removeAll(where: isMeant)
        return waiters[key]?.isEmpty == true
    }

    /// Ends a lookup.
    ///
    /// - Parameter key: The name.
    /// - Returns: All that waited for it, in their order.
    package mutating func end(_ key: Key) -> [Waiter] {
        waiters.removeValue(forKey: key) ?? []
    }
}
#endif
