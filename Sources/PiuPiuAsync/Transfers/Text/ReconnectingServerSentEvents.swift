/// The server-sent events of a stream that is opened again whenever it ends or breaks off.
///
/// The rules are those of the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#sse-processing-model): a connection
/// after the first names the last event's identifier, so that the server can go on where it stopped, and waits as long
/// as the server asked for. Errors of the network lead to another attempt; an answer that is not a stream of events, an
/// event that is too long, and a request that cannot be sent end it.
///
/// Each iterator has connections of its own. Dropping it closes the one there is.
public struct ReconnectingServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    /// What an attempt to connect gave.
    enum Connection: Sendable {
        /// A stream of events.
        case events(Chunks)
        /// The server does not want to be asked again: status code 204.
        case stop
    }

    /// The body of a response, of whatever type.
    struct Chunks: Sendable {
        fileprivate let open: @Sendable () -> ChunkSource

        /// Hides a type.
        ///
        /// - Parameter base: The chunks, which are read once.
        init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Data {
            open = {
                var iterator = ChunkIterator(base)
                return { try await iterator.next() }
            }
        }
    }

    fileprivate typealias ChunkSource = () async throws -> Data?

    private let options: ServerSentEventReconnection
    private let limit: Int
    private let clock: any Clock<Duration>
    private let connect: @Sendable (_ lastEventID: String) async throws -> Connection

    /// Creates a sequence; nothing happens until it is read.
    ///
    /// - Parameters:
    ///   - options: How often and how late to connect again.
    ///   - limit: How many bytes an event may have.
    ///   - clock: What the delays are measured with.
    ///   - connect: Opens a connection, with the last event's identifier, which is empty where there is none. What it
    ///     throws counts as what happened to the connection.
    init(
        _ options: ServerSentEventReconnection,
        limit: Int = 1024 * 1024,
        clock: any Clock<Duration> = ContinuousClock(),
        connect: @escaping @Sendable (_ lastEventID: String) async throws -> Connection
    ) {
        self.options = options
        self.limit = limit
        self.clock = clock
        self.connect = connect
    }

    /// Begins to read.
    ///
    /// - Returns: An iterator, which connects with its first event.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Reads one event after another, over as many connections as it takes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// What it reads, `nil` after the end.
        private var events: ReconnectingServerSentEvents?
        private var source: ChunkSource?
        private var decoder: ServerSentEventDecoder
        private var plan: ReconnectionPlan

        fileprivate init(_ events: ReconnectingServerSentEvents) {
            self.events = events
            decoder = ServerSentEventDecoder(limit: events.limit)
            plan = ReconnectionPlan(events.options)
        }

        /// Waits for the next event, and connects where that is due.
        ///
        /// Cancelling the task ends a delay, an attempt to connect and a connection, and throws `CancellationError`.
        /// Events that have already arrived still come.
        ///
        /// - Returns: The event; `nil` where the server wants no more connections, and after an error.
        /// - Throws: An error that another attempt would not mend, or the last of too many.
        public mutating func next() async throws -> ServerSentEvent? {
            while let events {
                // As long as it waits it counts as ended, so that nothing is left after whatever is thrown.
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
        /// - Returns: The event; `nil` where the server wants no more connections, and after an error.
        /// - Throws: What ``next()`` throws.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> ServerSentEvent? {
            try await next()
        }

        private enum Progress {
            case event(ServerSentEvent)
            case over(ReconnectionPlan.Outcome)
        }

        /// Connects where there is no connection, and reads until there is an event or nothing more.
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
    /// How it connects again and the limit, and nothing of the request.
    package var shown: KeyValuePairs<String, Any> { ["reconnection": options, "limit": limit] }
}

extension ReconnectingServerSentEvents.AsyncIterator: Redacted {
    /// Nothing: it holds what is being read.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
