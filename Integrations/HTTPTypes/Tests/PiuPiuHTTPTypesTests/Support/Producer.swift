import PiuPiuAsync

/// The chunks of an upload, made when they are asked for.
struct Producer: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let count = Locked(0)
    private let chunk: @Sendable (Int) async throws -> Data?
    private var index = 0

    /// How many bytes were given.
    var given: Int { count.withLock { $0 } }

    /// Creates a producer.
    ///
    /// - Parameter chunk: Makes the chunk with a number; `nil` at the end.
    init(_ chunk: @escaping @Sendable (Int) async throws -> Data?) {
        self.chunk = chunk
    }

    mutating func next() async throws -> Data? {
        defer { index += 1 }
        guard let data = try await chunk(index) else { return nil }
        count.withLock { $0 += data.count }
        return data
    }

    func makeAsyncIterator() -> Producer { self }
}
