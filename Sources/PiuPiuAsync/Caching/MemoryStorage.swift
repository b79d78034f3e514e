/// Keeps responses in memory, and forgets those that were not used for longest.
///
/// A body that takes more than an eighth of the limit is not stored. What is stored shares its memory with the responses
/// that are returned.
public final class MemoryStorage: ResponseStorage {
    private typealias Table = RecencyTable<CacheKey.Resource, CacheKey, StoredResponse>

    private let table: Locked<Table>
    private let largest: Int

    /// Creates a storage.
    ///
    /// - Parameter limit: The most bytes that heads and bodies take together, about; a negative number counts as 0.
    public init(limit: Int) {
        table = Locked(Table(limit: max(0, limit)))
        largest = max(0, limit) / 8
    }

    /// The number of bytes that are stored, about.
    public var byteCount: Int { table.withLock { $0.cost } }

    /// The number of responses that are stored.
    public var count: Int { table.withLock { $0.count } }

    /// Returns what is stored for a key, and notes that it was used.
    ///
    /// - Parameter key: The key.
    /// - Returns: The response; `nil` if there is none.
    public func response(for key: CacheKey) async -> StoredResponse? { table.withLock { $0.use(key) } }

    /// Begins to store a response.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - key: The key.
    ///   - length: The length of the body, in bytes; `nil` if it is not known.
    /// - Returns: What takes the body; `nil` if the response is too large.
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

    /// Removes all responses of a resource, whosever they are.
    ///
    /// - Parameter resource: The resource.
    public func removeAll(of resource: CacheKey.Resource) async {
        let dropped = table.withLock { $0.removeAll(in: resource) }
        withExtendedLifetime(dropped) {}
    }

    /// Removes everything.
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
                    // A chunk of a stream may be the beginning of a block, all of which it would keep.
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
    /// How much is stored.
    package var shown: KeyValuePairs<String, Any> { ["count": count, "byteCount": byteCount] }
}
