/// A sequence of server-sent events that reconnects whenever its stream ends or breaks off.
///
/// The rules are those of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#sse-processing-model): each
/// connection after the first sends the last event's identifier, so that the server can continue where it stopped, after
/// the delay that the server asked for. Network errors lead to another attempt; a response that is not an event
/// stream, an event that is too long, and a request that cannot be sent end the sequence.
///
/// Each connection sends the request again, by default only for `GET` and `HEAD`. For other methods, the sequence ends with
/// its stream and throws the stream's error, unless ``ServerSentEventReconnection/repeatsOtherMethods`` is set.
///
/// Each iterator opens its own connections. Releasing it closes the current one.
public struct ReconnectingServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    /// The result of an attempt to connect.
    enum Connection: Sendable {
        /// A stream of events.
        case events(Chunks)
        /// The server asks the client not to reconnect: status code 204.
        case stop
    }

    /// The body of a response, with its type erased.
    struct Chunks: Sendable {
        fileprivate let open: @Sendable () -> ChunkSource

        /// Erases the type of a sequence of chunks, which is read once.
        init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Data {
            open = {
                var iterator = ChunkIterator(base)
                return { try await iterator.next() }
            }
        }
    }

    fileprivate typealias ChunkSource = () async throws -> Data?

    private let options: ServerSentEventReconnection
    private let method: String
    private let limit: Int
    private let clock: any Clock<Duration>
    private let connect: @Sendable (_ lastEventID: String) async throws -> Connection

    /// Creates a sequence, which does nothing until it is read.
    ///
    /// `connect` opens a connection with the last event's identifier, which is empty if there is none. An error that it throws
    /// is treated like an error of the connection. `limit` is the maximum length of an event, in bytes.
    init(
        _ options: ServerSentEventReconnection,
        method: String = "GET",
        limit: Int = 1024 * 1024,
        clock: any Clock<Duration> = ContinuousClock(),
        connect: @escaping @Sendable (_ lastEventID: String) async throws -> Connection
    ) {
        self.options = options
        self.method = method
        self.limit = limit
        self.clock = clock
        self.connect = connect
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator, which connects when its first event is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// The iterator over the events of all connections.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The sequence to read; `nil` after the end.
        private var events: ReconnectingServerSentEvents?
        private var source: ChunkSource?
        private var decoder: ServerSentEventDecoder
        private var plan: ReconnectionPlan

        fileprivate init(_ events: ReconnectingServerSentEvents) {
            self.events = events
            decoder = ServerSentEventDecoder(limit: events.limit)
            plan = ReconnectionPlan(events.options, method: events.method)
        }

        /// Waits for the next event, and connects if necessary.
        ///
        /// Cancelling the task ends a delay, an attempt to connect or a connection, and throws `CancellationError`.
        /// Events that have already arrived are still delivered.
        ///
        /// - Returns: The event; `nil` if the server refuses further connections, and after an error.
        /// - Throws: An error that another attempt cannot fix, or the error of the last allowed attempt.
        public mutating func next() async throws -> ServerSentEvent? {
            while let events {
                // The sequence counts as ended while it waits, so that it is over if an error is thrown.
                self.events = nil
                let outcome: ReconnectionPlan.Outcome
                switch await advance(events) {
                case .event(let event):
                    plan.eventArrived()
                    self.events = events
                    return event
                case .over(let end): outcome = end
                }
                source = nil
                decoder.discardPending()
                switch (plan.next(after: outcome, reconnectionTime: decoder.reconnectionTime), outcome) {
                case (.reconnect(let delay), _):
                    try Task.checkCancellation()
                    try await events.clock.sleep(for: delay)
                    self.events = events
                case (.fail, .failed(let error)): throw error
                default: return nil
                }
            }
            return nil
        }

        /// Waits for the next event without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The event; `nil` if the server refuses further connections, and after an error.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> ServerSentEvent? {
            try await next()
        }

        private enum Progress {
            case event(ServerSentEvent)
            case over(ReconnectionPlan.Outcome)
        }

        /// Connects if there is no connection, and reads until an event or the end of the stream.
        private mutating func advance(_ events: ReconnectingServerSentEvents) async -> Progress {
            do {
                if source == nil {
                    guard case .events(let chunks) = try await events.connect(decoder.lastEventID) else {
                        return .over(.stopped)
                    }
                    source = chunks.open()
                }
                while true {
                    if let event = try decoder.next() { return .event(event) }
                    guard let chunk = try await source?() else { return .over(.ended) }
                    decoder.append(chunk)
                }
            } catch {
                return .over(.failed(error))
            }
        }
    }
}

extension ReconnectingServerSentEvents: Redacted {
    /// The reconnection options and the limit, without the request.
    package var shown: KeyValuePairs<String, Any> { ["reconnection": options, "limit": limit] }
}

extension ReconnectingServerSentEvents.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the data being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
