/// Where a ``ResponseCache`` keeps responses: ``MemoryStorage``, ``FolderStorage``, or one of your own.
///
/// A storage knows nothing of HTTP. It keeps a head and a body for a key, forgets what it has no room for, and never returns
/// a part of a body, or a body with another head than it was stored with. It may lose anything at any time: what it cannot
/// read or write is a miss, not an error.
public protocol ResponseStorage: Sendable {
    /// Returns what is stored for a key, and notes that it was used.
    ///
    /// - Parameter key: The key.
    /// - Returns: The response; `nil` if there is none, or if it is damaged, in which case it is removed.
    func response(for key: CacheKey) async -> StoredResponse?

    /// Begins to store a response. It replaces another one only when it is complete.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - key: The key.
    ///   - length: The length of the body, in bytes; `nil` if it is not known.
    /// - Returns: What takes the body; `nil` if the response is too large, or cannot be stored.
    func begin(_ head: StoredHead, for key: CacheKey, length: Int64?) async -> (any ResponseStorageWriter)?

    /// Replaces the head of a response, and keeps its body. Does nothing if there is no response any more.
    ///
    /// - Parameters:
    ///   - head: The new head.
    ///   - key: The key.
    func update(_ head: StoredHead, for key: CacheKey) async

    /// Removes a response.
    ///
    /// - Parameter key: The key.
    func remove(_ key: CacheKey) async

    /// Removes all responses of a resource, whosever they are.
    ///
    /// - Parameter resource: The resource.
    func removeAll(of resource: CacheKey.Resource) async

    /// Removes everything.
    func removeAll() async
}

/// Takes the body of a response that is being stored.
///
/// One task at a time calls it. Releasing it without ``commit()`` drops what was written.
public protocol ResponseStorageWriter: Sendable {
    /// Takes the next bytes.
    ///
    /// - Parameter chunk: The bytes.
    /// - Returns: `false` if the response cannot be stored after all; the writer is not used any more then.
    func write(_ chunk: Data) async -> Bool

    /// Makes a response of what was written, in one step.
    ///
    /// - Returns: Whether it is stored.
    func commit() async -> Bool
}

/// A response that was stored.
public struct StoredResponse: Sendable {
    /// The head.
    public let head: StoredHead
    /// The body, which stays readable even if the response is removed.
    public let body: StoredBody

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - body: The body.
    public init(head: StoredHead, body: StoredBody) {
        self.head = head
        self.body = body
    }
}

/// The body of a response that was stored.
public enum StoredBody: Sendable {
    /// A body in memory.
    case data(Data)
    /// A body that is read as it is needed, with its length in ``ResponseBody/expectedLength``.
    case stream(ResponseBody)
}

extension StoredResponse: Redacted {
    /// The status code.
    package var shown: KeyValuePairs<String, Any> { ["head": head] }
}

extension StoredBody: Redacted {
    /// Nothing.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
