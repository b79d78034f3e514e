/// The messages of a WebSocket that is opened again whenever it ends.
///
/// Each iterator opens its own WebSockets. Releasing it closes the current one. See
/// ``URLRequestDispatcher/webSocketMessages(for:options:reconnecting:onOpen:)``.
public struct ReconnectingWebSocketMessages: AsyncSequence, Sendable {
    /// An element of the sequence.
    public enum Element: Sendable {
        /// A WebSocket is open, and its first messages were sent; after a gap, unless it is the first.
        ///
        /// It can be used to send more; it closes when the sequence goes on to the next, or is left.
        case opened(WebSocket, after: WebSocketGap?)
        /// A message.
        case message(WebSocketMessage)
    }

    private let options: WebSocketReconnection
    private let clock: any Clock<Duration>
    private let open: @Sendable () async throws -> WebSocket

    /// Creates a sequence, which does nothing until it is read; `open` opens a WebSocket, and sends the first messages.
    package init(
        _ options: WebSocketReconnection,
        clock: any Clock<Duration>,
        open: @escaping @Sendable () async throws -> WebSocket
    ) {
        (self.options, self.clock, self.open) = (options, clock, open)
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator, which opens a WebSocket when its first element is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// The iterator over the messages of all WebSockets.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The sequence to read; `nil` after the end.
        private var sequence: ReconnectingWebSocketMessages?
        private var socket: (WebSocket, openedAt: ContinuousClock.Instant)?
        private var plan: WebSocketReconnectionPlan
        /// The end of the WebSocket before, until the next is open.
        private var lost: (closure: WebSocketClosure, error: (any Error)?, at: ContinuousClock.Instant)?
        private var attempts = 0

        fileprivate init(_ sequence: ReconnectingWebSocketMessages) {
            self.sequence = sequence
            plan = WebSocketReconnectionPlan(sequence.options)
        }

        /// Waits for the next message, and opens a WebSocket if necessary.
        ///
        /// Cancelling the task ends a delay, an attempt or the WebSocket, and throws `CancellationError`.
        ///
        /// - Returns: The element; `nil` if the server closed the WebSocket with 1000 or without a code, or this side did, and after
        ///   an error.
        /// - Throws: An error that another attempt cannot mend, or that of the last allowed attempt.
        public mutating func next() async throws -> Element? {
            guard let sequence else { return nil }
            // It counts as ended while it waits, so that it is over if an error is thrown.
            self.sequence = nil
            while true {
                try Task.checkCancellation()
                let outcome: WebSocketReconnectionPlan.Outcome
                switch await advance(sequence) {
                case .element(let element):
                    self.sequence = sequence
                    return element
                case .over(let end): outcome = end
                case .cancelled: throw CancellationError()
                }
                socket = nil
                switch (plan.next(after: outcome, fraction: .random(in: 0...1)), outcome) {
                case (.reconnect(let delay), _): try await sequence.clock.sleep(for: delay)
                case (.fail, .ended(_, let error, _)), (.fail, .notOpened(let error)): throw error
                default: return nil
                }
            }
        }

        private enum Progress {
            case element(Element)
            case over(WebSocketReconnectionPlan.Outcome)
            case cancelled
        }

        private mutating func advance(_ sequence: ReconnectingWebSocketMessages) async -> Progress {
            guard let (socket, openedAt) = socket else { return await open(sequence) }
            var failure: (any Error)?
            do {
                if let message = try await socket.receive() { return .element(.message(message)) }
            } catch is CancellationError {
                return .cancelled
            } catch {
                failure = error
            }
            // Unless its connection ends at once, the limit of closing applies.
            let closure = await socket.waitForClosure()
            let time = openedAt.duration(to: .now)
            lost = (closure, failure, .now)
            return .over(failure.map { .ended(closure, $0, after: time) } ?? .closed(closure, after: time))
        }

        private mutating func open(_ sequence: ReconnectingWebSocketMessages) async -> Progress {
            attempts += 1
            do {
                let socket = try await sequence.open()
                self.socket = (socket, .now)
                let gap = lost.map {
                    WebSocketGap(
                        closure: $0.closure,
                        error: $0.error,
                        duration: $0.at.duration(to: .now),
                        attempts: attempts
                    )
                }
                (lost, attempts) = (nil, 0)
                return .element(.opened(socket, after: gap))
            } catch is CancellationError {
                return .cancelled
            } catch {
                return .over(.notOpened(error))
            }
        }

        /// Waits for the next message without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element; `nil` at the end.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            try await next()
        }
    }
}

extension ReconnectingWebSocketMessages: Redacted {
    /// The options, without the request.
    package var shown: KeyValuePairs<String, Any> { ["reconnection": options] }
}

extension ReconnectingWebSocketMessages.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds the WebSocket.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
