/// A sequence of values decoded from a stream with one JSON text per line, such as NDJSON.
///
/// ```swift
/// for try await post in body.jsonLines(of: Post.self) {
///     print(post.title)
/// }
/// ```
///
/// Lines end as in a ``LineSequence``; lines that contain only spaces, tabs and CRs are skipped. Values are decoded in
/// the caller's isolation and need not be sendable. The sequence can be iterated as often as its chunks can: once for a
/// response.
public struct JSONLineSequence<Base: AsyncSequence & Sendable, Row: Decodable>: AsyncSequence, Sendable
where Base.Element == Data {
    /// The value of a line.
    public typealias Element = Row

    private let base: Base
    private let decoder: JSONDecoder
    private let limit: Int

    init(_ base: Base, decoder: JSONDecoder, limit: Int) {
        self.base = base
        self.decoder = decoder
        self.limit = limit
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator over the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: DecodingIterator(base, JSONLineSplitter(limit: limit)), decoder: decoder)
    }

    /// The iterator over the values; releasing it abandons the underlying chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: DecodingIterator<Base, JSONLineSplitter>
        fileprivate let decoder: JSONDecoder

        /// Waits for the next value.
        ///
        /// Cancellation affects the underlying chunks; values that have already arrived are still delivered.
        ///
        /// - Returns: The value; `nil` at the end and after an error.
        /// - Throws: The error of the JSON decoder, ``TransferError`` with the code `lineTooLong`, or the error of the
        ///   underlying chunks.
        public mutating func next() async throws -> Row? {
            guard let line = try await lines.next() else { return nil }
            do {
                return try decoder.decodeGuarded(Row.self, from: line)
            } catch {
                lines.end()
                throw error
            }
        }

        /// Waits for the next value without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The value; `nil` at the end and after an error.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Row? {
            try await next()
        }
    }
}

extension AsyncSequence where Self: Sendable, Element == Data {
    /// Decodes one value from each line of JSON in these chunks.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder for the lines.
    ///   - limit: The maximum length of a line in bytes, without its terminator; 1 MiB by default. A longer line throws
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
    /// The limit, without the underlying chunks.
    package var shown: KeyValuePairs<String, Any> { ["limit": limit] }
}

extension JSONLineSequence.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the data being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
