/// A sequence of the server-sent events of a stream that arrives in chunks.
///
/// ```swift
/// for try await event in body.serverSentEvents where event.type == "message" {
///     print(event.id, event.data)
/// }
/// ```
///
/// The format is that of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation); an
/// event that is incomplete at the end is discarded. The sequence can be iterated as often as its chunks can: once for
/// a response.
public struct ServerSentEventSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element == Data {
    /// An event.
    public typealias Element = ServerSentEvent

    private let base: Base
    private let limit: Int

    init(_ base: Base, limit: Int) {
        self.base = base
        self.limit = limit
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator over the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: DecodingIterator(base, ServerSentEventDecoder(limit: limit)))
    }

    /// The iterator over the events; releasing it abandons the underlying chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var events: DecodingIterator<Base, ServerSentEventDecoder>

        /// Waits for the next event.
        ///
        /// Cancellation affects the underlying chunks; events that have already arrived are still delivered.
        ///
        /// - Returns: The event; `nil` at the end and after an error.
        /// - Throws: ``TransferError`` with the code `eventTooLong`, or the error of the underlying chunks.
        public mutating func next() async throws -> ServerSentEvent? {
            try await events.next()
        }

        /// Waits for the next event without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The event; `nil` at the end and after an error.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> ServerSentEvent? {
            try await next()
        }
    }
}

extension AsyncSequence where Self: Sendable, Element == Data {
    /// The server-sent events in these chunks, each at most 1 MiB long.
    public var serverSentEvents: ServerSentEventSequence<Self> { serverSentEvents(limit: 1024 * 1024) }

    /// Returns the server-sent events in these chunks.
    ///
    /// - Parameter limit: The maximum length of an event in bytes: its text, its type and the arriving line. A longer
    ///   event throws ``TransferError/Code/eventTooLong``.
    /// - Returns: The events.
    public func serverSentEvents(limit: Int) -> ServerSentEventSequence<Self> {
        ServerSentEventSequence(self, limit: limit)
    }
}

extension ServerSentEventSequence: Redacted {
    /// The limit, without the underlying chunks.
    package var shown: KeyValuePairs<String, Any> { ["limit": limit] }
}

extension ServerSentEventSequence.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the data being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
