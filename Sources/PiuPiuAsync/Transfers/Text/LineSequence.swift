/// The lines of a text that arrives in chunks.
///
/// ```swift
/// for try await line in body.lines {
///     print(line)
/// }
/// ```
///
/// LF and CR LF end a line, a lone CR does not. What follows the last end is a line unless it is empty. The text is
/// UTF-8; bytes that are not become U+FFFD. It can be read as often as the chunks below can: those of a response once.
public struct LineSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == Data {
    /// A line, without its end.
    public typealias Element = String

    private let base: Base
    private let limit: Int

    init(_ base: Base, limit: Int) {
        self.base = base
        self.limit = limit
    }

    /// Begins to read.
    ///
    /// - Returns: An iterator over the lines.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: ChunkIterator(base), limit: limit)
    }

    /// Reads one line after another; dropping it gives up the chunks below.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var chunks: ChunkIterator<Base>
        private var decoder: LineDecoder

        fileprivate init(chunks: ChunkIterator<Base>, limit: Int) {
            self.chunks = chunks
            decoder = LineDecoder(limit: limit)
        }

        /// Waits for the next line.
        ///
        /// Cancelling does to it what it does to the chunks below; lines that have already arrived still come.
        ///
        /// - Returns: The line, `nil` at the end and after an error.
        /// - Throws: ``TransferError`` with the code `lineTooLong`, or what the chunks below throw.
        public mutating func next() async throws -> String? {
            do {
                while true {
                    if let line = try decoder.next() { return line }
                    guard let chunk = try await chunks.next() else { return try decoder.finish() }
                    decoder.append(chunk)
                }
            } catch {
                chunks.end()
                decoder = LineDecoder(limit: 0)
                throw error
            }
        }

        /// Waits for the next line without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The line, `nil` at the end and after an error.
        /// - Throws: What ``next()`` throws.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> String? {
            try await next()
        }
    }
}

extension AsyncSequence where Self: Sendable, Element == Data {
    /// The lines of the text these chunks are, each at most 1 MiB long.
    public var lines: LineSequence<Self> { lines(limit: 1024 * 1024) }

    /// The lines of the text these chunks are.
    ///
    /// - Parameter limit: How many bytes a line may have, its end not counted. Reading a longer one throws
    ///   ``TransferError/Code/lineTooLong``.
    /// - Returns: The lines.
    public func lines(limit: Int) -> LineSequence<Self> {
        LineSequence(self, limit: limit)
    }
}

extension LineSequence: Redacted {
    /// The limit, and nothing of the chunks below.
    package var shown: KeyValuePairs<String, Any> { ["limit": limit] }
}

extension LineSequence.AsyncIterator: Redacted {
    /// Nothing: it holds what is being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
