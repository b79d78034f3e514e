/// A sequence of the lines of a text that arrives in chunks.
///
/// ```swift
/// for try await line in body.lines {
///     print(line)
/// }
/// ```
///
/// LF and CR LF end a line; a lone CR does not. Text after the last line ending is a line unless it is empty. The text
/// is UTF-8; invalid bytes become U+FFFD. The sequence can be iterated as often as its chunks can: once for a response.
public struct LineSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == Data {
    /// A line, without its terminator.
    public typealias Element = String

    private let base: Base
    private let limit: Int

    init(_ base: Base, limit: Int) {
        self.base = base
        self.limit = limit
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator over the lines.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: DecodingIterator(base, LineDecoder(limit: limit)))
    }

    /// The iterator over the lines; releasing it abandons the underlying chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var lines: DecodingIterator<Base, LineDecoder>

        /// Waits for the next line.
        ///
        /// Cancellation affects the underlying chunks; lines that have already arrived are still delivered.
        ///
        /// - Returns: The line; `nil` at the end and after an error.
        /// - Throws: ``TransferError`` with the code `lineTooLong`, or the error of the underlying chunks.
        public mutating func next() async throws -> String? {
            try await lines.next()
        }

        /// Waits for the next line without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The line; `nil` at the end and after an error.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> String? {
            try await next()
        }
    }
}

extension AsyncSequence where Self: Sendable, Element == Data {
    /// The lines of the text in these chunks, each at most 1 MiB long.
    public var lines: LineSequence<Self> { lines(limit: 1024 * 1024) }

    /// Returns the lines of the text in these chunks.
    ///
    /// - Parameter limit: The maximum length of a line in bytes, without its terminator. A longer line throws
    ///   ``TransferError/Code/lineTooLong``.
    /// - Returns: The lines.
    public func lines(limit: Int) -> LineSequence<Self> {
        LineSequence(self, limit: limit)
    }
}

extension LineSequence: Redacted {
    /// The limit, without the underlying chunks.
    package var shown: KeyValuePairs<String, Any> { ["limit": limit] }
}

extension LineSequence.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the data being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
