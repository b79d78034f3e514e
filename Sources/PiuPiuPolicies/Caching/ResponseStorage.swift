/// A storage for the responses of a ``ResponseCache``: ``MemoryStorage``, ``FolderStorage``, or one of your own.
///
/// A storage is independent of HTTP. It keeps a head and a body for a key, forgets responses if it has no room for them, and
/// never returns a part of a body, or a body with another head than its own. It may lose anything at any time: a failure to
/// read or write is a miss, not an error.
public protocol ResponseStorage: Sendable {
    /// Returns the response for a key, and records its use.
    ///
    /// - Parameter key: The key.
    /// - Returns: The response; `nil` if there is none, or if it is damaged, in which case it is removed.
    func response(for key: CacheKey) async -> StoredResponse?

    /// Starts to store a response, which replaces another one only when it is complete.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - key: The key.
    ///   - length: The length of the body, in bytes; `nil` if it is unknown.
    /// - Returns: A writer for the body; `nil` if the response is too large, or cannot be stored.
    func begin(_ head: StoredHead, for key: CacheKey, length: Int64?) async -> (any ResponseStorageWriter)?

    /// Replaces the head of a response, and keeps its body. Does nothing if the response is no longer stored.
    ///
    /// - Parameters:
    ///   - head: The new head.
    ///   - key: The key.
    func update(_ head: StoredHead, for key: CacheKey) async

    /// Removes a response.
    ///
    /// - Parameter key: The key.
    func remove(_ key: CacheKey) async

    /// Removes all responses of a resource, for all users.
    ///
    /// - Parameter resource: The resource.
    func removeAll(of resource: CacheKey.Resource) async

    /// Removes all responses.
    func removeAll() async
}

/// A writer for the body of a response that is being stored.
///
/// One task at a time calls it. Releasing it without ``commit()`` drops the written bytes.
public protocol ResponseStorageWriter: Sendable {
    /// Writes the next bytes.
    ///
    /// - Parameter chunk: The bytes.
    /// - Returns: `false` if the response cannot be stored after all; the cache then no longer uses the writer.
    func write(_ chunk: Data) async -> Bool

    /// Turns the written bytes into a response, in one step.
    ///
    /// - Returns: Whether it is stored.
    func commit() async -> Bool
}

/// A stored response.
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

/// The body of a stored response.
public enum StoredBody: Sendable {
    /// A body in memory.
    case data(Data)
    /// A body that is read when it is needed, with its length in ``ResponseBody/expectedLength``.
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
