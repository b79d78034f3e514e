/// A storage that keeps responses in memory, and drops the least recently used ones.
///
/// A body that takes more than an eighth of the limit is not stored. Stored bodies share their memory with the returned
/// responses.
public final class MemoryStorage: ResponseStorage {
    private typealias Table = RecencyTable<CacheKey.Resource, CacheKey, StoredResponse>

    private let table: Locked<Table>
    private let largest: Int

    /// Creates a storage.
    ///
    /// - Parameter limit: The approximate maximum size of all heads and bodies in bytes; a negative number counts as 0.
    public init(limit: Int) {
        table = Locked(Table(limit: max(0, limit)))
        largest = max(0, limit) / 8
    }

    /// The approximate number of stored bytes.
    public var byteCount: Int { table.withLock { $0.cost } }

    /// The number of stored responses.
    public var count: Int { table.withLock { $0.count } }

    /// Returns the response for a key, and records its use.
    ///
    /// - Parameter key: The key.
    /// - Returns: The response; `nil` if there is none.
    public func response(for key: CacheKey) async -> StoredResponse? { table.withLock { $0.use(key) } }

    /// Starts to store a response.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - key: The key.
    ///   - length: The length of the body, in bytes; `nil` if it is unknown.
    /// - Returns: A writer for the body; `nil` if the response is too large.
    public func begin(_ head: StoredHead, for key: CacheKey, length: Int64?) async -> (any ResponseStorageWriter)? {
        length ?? 0 <= Int64(largest) ? Writer(storage: self, head: head, key: key) : nil
    }

    /// Replaces the head of a response, and keeps its body.
    ///
    /// - Parameters:
    ///   - head: The new head.
    ///   - key: The key.
    public func update(_ head: StoredHead, for key: CacheKey) async {
        let dropped: [StoredResponse] = table.withLock { table in
            guard let stored = table.use(key) else { return [] }
            let response = StoredResponse(head: head, body: stored.body)
            return table.insert(response, for: key, in: key.resource, cost: Self.cost(of: response, key)).dropped
        }
        withExtendedLifetime(dropped) {}
    }

    /// Removes a response.
    ///
    /// - Parameter key: The key.
    public func remove(_ key: CacheKey) async {
        let dropped = table.withLock { $0.remove(key) }
        withExtendedLifetime(dropped) {}
    }

    /// Removes all responses of a resource, for all users.
    ///
    /// - Parameter resource: The resource.
    public func removeAll(of resource: CacheKey.Resource) async {
        let dropped = table.withLock { $0.removeAll(in: resource) }
        withExtendedLifetime(dropped) {}
    }

    /// Removes all responses.
    public func removeAll() async {
        let dropped = table.withLock { table in
            let dropped = table
            table = Table(limit: dropped.limit)
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }

    private func store(_ response: StoredResponse, _ key: CacheKey) -> Bool {
        let (isStored, dropped) = table.withLock {
            $0.insert(response, for: key, in: key.resource, cost: Self.cost(of: response, key))
        }
        withExtendedLifetime(dropped) {}
        return isStored
    }

    private static func cost(of response: StoredResponse, _ key: CacheKey) -> Int {
        guard case .data(let data) = response.body else { return .max }
        return data.count + response.head.cost + key.selection.count + key.resource.url.utf8.count + 200
    }

    private final class Writer: ResponseStorageWriter {
        private let storage: MemoryStorage
        private let head: StoredHead
        private let key: CacheKey
        private let body = Locked(Data())

        init(storage: MemoryStorage, head: StoredHead, key: CacheKey) {
            self.storage = storage
            self.head = head
            self.key = key
        }

        func write(_ chunk: Data) async -> Bool {
            body.withLock { body in
                guard chunk.count <= storage.largest - body.count else { return false }
                if !body.isEmpty {
                    body += chunk
                } else if chunk.count < BlockPool.blockSize {
                    // A chunk of a stream may be a slice of a larger block, which it would keep in memory.
                    body = chunk.withUnsafeBytes { Data($0) }
                } else {
                    body = chunk
                }
                return true
            }
        }

        func commit() async -> Bool {
            storage.store(StoredResponse(head: head, body: .data(body.withLock { $0 })), key)
        }
    }
}

extension MemoryStorage: Redacted {
    /// The number of responses and their size.
    package var shown: KeyValuePairs<String, Any> { ["count": count, "byteCount": byteCount] }
}
