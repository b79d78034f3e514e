#if os(Linux)
/// The addresses that names recently had.
///
/// It is a value without a clock. The event loops of a transport share one.
package struct AddressCache {
    /// The name, the port and the versions of IP of a lookup.
    package struct Key: Sendable, Hashable {
        /// The name, in normalized spelling.
        package var host: String
        /// The port.
        package var port: UInt16
        /// The versions of IP.
        package var family: AddressFamily

        /// Creates a key for a name in normalized spelling.
        package init(host: String, port: UInt16, family: AddressFamily) {
            self.host = host
            self.port = port
            self.family = family
        }
    }

    private struct Entry {
        var addresses: [SocketAddress]
        var storedAt: Int64
    }

    /// The largest number of names.
    package let maximumCount: Int
    private var entries: [Key: Entry] = [:]

    /// Creates an empty cache with a limit, because a server can make a client look up many names by redirects.
    package init(maximumCount: Int = 1024) {
        self.maximumCount = max(1, maximumCount)
    }

    /// The number of names.
    package var count: Int { entries.count }

    /// Returns the addresses of a name.
    ///
    /// - Parameters:
    ///   - key: The name.
    ///   - timeToLive: How long addresses may be used after they were stored, in nanoseconds; 0 for not at all.
    ///   - now: The current time, in nanoseconds.
    /// - Returns: The addresses; `nil` if they are unknown or too old.
    package func addresses(for key: Key, timeToLive: Int64, now: Int64) -> [SocketAddress]? {
        guard timeToLive > 0, let entry = entries[key], now - entry.storedAt < timeToLive else { return nil }
        return entry.addresses
    }

    /// Stores the addresses of a name; if the cache is full, it removes the oldest entry.
    package mutating func store(_ addresses: [SocketAddress], for key: Key, now: Int64) {
        guard !addresses.isEmpty else { return }
        if entries.count >= maximumCount, entries[key] == nil,
            let oldest = entries.min(by: { $0.value.storedAt < $1.value.storedAt })
        {
            entries[oldest.key] = nil
        }
        entries[key] = Entry(addresses: addresses, storedAt: now)
    }

    /// Removes the addresses of a name, for example because none of them answers.
    package mutating func remove(_ key: Key) {
        entries[key] = nil
    }

    /// Removes everything.
    package mutating func removeAll() {
        entries = [:]
    }
}
#endif
