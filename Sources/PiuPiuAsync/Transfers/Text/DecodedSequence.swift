/// The elements of a stream, decoded from its bytes as they arrive: lines, rows of JSON, or events.
///
/// The operations `lines`, `jsonLines(of:)` and `serverSentEvents` on chunks of bytes return it. It can be iterated as often
/// as its chunks can: once for a response.
public struct DecodedSequence<Base: AsyncSequence & Sendable, Element>: AsyncSequence, Sendable
where Base.Element == Data {
    private let base: Base
    private let limit: Int
    private let decoder: any ChunkDecoder<Element>

    init(_ base: Base, limit: Int, _ decoder: some ChunkDecoder<Element>) {
        self.base = base
        self.limit = limit
        self.decoder = decoder
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator over the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: ChunkIterator(base), decoder: decoder)
    }

    /// The iterator over the elements; releasing it abandons the underlying chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: ChunkIterator<Base>
        fileprivate var decoder: any ChunkDecoder<Element>

        /// Waits for the next element.
        ///
        /// Cancellation affects the underlying chunks; elements that have already arrived are still delivered.
        ///
        /// - Returns: The element; `nil` at the end and after an error.
        /// - Throws: ``TransferError`` with the code `lineTooLong` or `eventTooLong`, the error of the JSON decoder, or the
        ///   error of the underlying chunks.
        public mutating func next() async throws -> Element? {
            do {
                while true {
                    if let element = try decoder.next() { return element }
                    guard let chunk = try await chunks.next() else { return try decoder.finish() }
                    decoder.append(chunk)
                }
            } catch {
                chunks.end()
                decoder.discardPending()
                throw error
            }
        }

        /// Waits for the next element without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element; `nil` at the end and after an error.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            try await next()
        }
    }
}

/// The lines of a text that arrives in chunks.
///
/// LF and CR LF end a line; a lone CR does not. Text after the last line ending is a line unless it is empty. The text
/// is UTF-8; invalid bytes become U+FFFD.
public typealias LineSequence<Base: AsyncSequence & Sendable> = DecodedSequence<Base, String> where Base.Element == Data

/// Values decoded from a stream with one JSON text per line, such as NDJSON.
///
/// Lines end as in a ``LineSequence``; lines that contain only spaces, tabs and CRs are skipped. Values are decoded in
/// the caller's isolation and need not be sendable.
public typealias JSONLineSequence<Base: AsyncSequence & Sendable, Row: Decodable> = DecodedSequence<Base, Row>
where Base.Element == Data

/// The server-sent events of a stream that arrives in chunks.
///
/// The format is that of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation); an
/// event that is incomplete at the end is discarded.
public typealias ServerSentEventSequence<Base: AsyncSequence & Sendable> = DecodedSequence<Base, ServerSentEvent>
where Base.Element == Data

extension AsyncSequence where Self: Sendable, Element == Data {
    /// The lines of the text in these chunks, each at most 1 MiB long.
    ///
    /// ```swift
    /// for try await line in body.lines {
    ///     print(line)
    /// }
    /// ```
    public var lines: LineSequence<Self> { lines(limit: 1024 * 1024) }

    /// Returns the lines of the text in these chunks.
    ///
    /// - Parameter limit: The maximum length of a line in bytes, without its terminator. A longer line throws
    ///   ``TransferError/Code/lineTooLong``.
    /// - Returns: The lines.
    public func lines(limit: Int) -> LineSequence<Self> {
        LineSequence(self, limit: limit, LineDecoder(limit: limit))
    }

    /// Decodes one value from each line of JSON in these chunks.
    ///
    /// ```swift
    /// for try await post in body.jsonLines(of: Post.self) {
    ///     print(post.title)
    /// }
    /// ```
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
        JSONLineSequence(self, limit: limit, JSONLineDecoder<Row>(lines: .json(limit: limit), decoder: decoder))
    }

    /// The server-sent events in these chunks, each at most 1 MiB long.
    ///
    /// ```swift
    /// for try await event in body.serverSentEvents where event.type == "message" {
    ///     print(event.id, event.data)
    /// }
    /// ```
    public var serverSentEvents: ServerSentEventSequence<Self> { serverSentEvents(limit: 1024 * 1024) }

    /// Returns the server-sent events in these chunks.
    ///
    /// - Parameter limit: The maximum length of an event in bytes: its text, its type and the arriving line. A longer
    ///   event throws ``TransferError/Code/eventTooLong``.
    /// - Returns: The events.
    public func serverSentEvents(limit: Int) -> ServerSentEventSequence<Self> {
        ServerSentEventSequence(self, limit: limit, ServerSentEventDecoder(limit: limit))
    }
}

extension DecodedSequence: Redacted {
    /// The limit, without the underlying chunks.
    package var shown: KeyValuePairs<String, Any> { ["limit": limit] }
}

extension DecodedSequence.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the data being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
