/// The values of a stream that has one JSON text in each line, such as NDJSON.
///
/// ```swift
/// for try await post in body.jsonLines(of: Post.self) {
///     print(post.title)
/// }
/// ```
///
/// Lines end as those of a ``LineSequence`` do; lines of nothing but spaces, tabs and CRs are left out. A value is made
/// in the isolation of the caller and need not be sendable. It can be read as often as the chunks below can: those of a
/// response once.
public struct JSONLineSequence<Base: AsyncSequence & Sendable, Row: Decodable>: AsyncSequence, Sendable
where Base.Element == Data {
    /// What a line holds.
    public typealias Element = Row

    private let base: Base
    private let decoder: JSONDecoder
    private let limit: Int

    init(_ base: Base, decoder: JSONDecoder, limit: Int) {
        self.base = base
        self.decoder = decoder
        self.limit = limit
    }

    /// Begins to read.
    ///
    /// - Returns: An iterator over the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: ChunkIterator(base), decoder: decoder, limit: limit)
    }

    /// Reads one value after another; dropping it gives up the chunks below.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var chunks: ChunkIterator<Base>
        private var splitter: JSONLineSplitter
        private let decoder: JSONDecoder

        fileprivate init(chunks: ChunkIterator<Base>, decoder: JSONDecoder, limit: Int) {
            self.chunks = chunks
            self.decoder = decoder
            splitter = JSONLineSplitter(limit: limit)
        }

        /// Waits for the next value.
        ///
        /// Cancelling does to it what it does to the chunks below; values that have already arrived still come.
        ///
        /// - Returns: The value, `nil` at the end and after an error.
        /// - Throws: What the JSON decoder throws, ``TransferError`` with the code `lineTooLong`, or what the chunks
        ///   below throw.
        public mutating func next() async throws -> Row? {
            do {
                while true {
                    if let line = try splitter.next() { return try decoder.decodeGuarded(Row.self, from: line) }
                    guard let chunk = try await chunks.next() else { break }
                    splitter.append(chunk)
                }
                return try splitter.finish().map { try decoder.decodeGuarded(Row.self, from: $0) }
            } catch {
                chunks.end()
                splitter = JSONLineSplitter(limit: 0)
                throw error
            }
        }

        /// Waits for the next value without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The value, `nil` at the end and after an error.
        /// - Throws: What ``next()`` throws.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Row? {
            try await next()
        }
    }
}

extension AsyncSequence where Self: Sendable, Element == Data {
    /// The values of a stream that has one JSON text in each line.
    ///
    /// - Parameters:
    ///   - type: What a line holds.
    ///   - decoder: Decodes a line.
    ///   - limit: How many bytes a line may have, 1 MiB by default, its end not counted. Reading a longer one throws
    ///     ``TransferError/Code/lineTooLong``.
    /// - Returns: The values.
    public func jsonLines<Row: Decodable>(
        of type: Row.Type,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1024 * 1024
    ) -> JSONLineSequence<Self, Row> {
        JSONLineSequence(self, decoder: decoder, limit: limit)
    }
}

extension JSONLineSequence: Redacted {
    /// The limit, and nothing of the chunks below.
    package var shown: KeyValuePairs<String, Any> { ["limit": limit] }
}

extension JSONLineSequence.AsyncIterator: Redacted {
    /// Nothing: it holds what is being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
