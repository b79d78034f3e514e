/// The messages of a WebSocket, read one at a time.
///
/// An iterator keeps the WebSocket open. See ``WebSocket/messages``.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A message.
    public typealias Element = WebSocketMessage

    let socket: WebSocket

    /// Creates an iterator.
    ///
    /// - Returns: An iterator over the messages that were not read yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }

    /// Reads the messages of a WebSocket.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let socket: WebSocket
        /// Whether an error was thrown; `next` returns `nil` afterwards.
        private var hasFailed = false

        fileprivate init(socket: WebSocket) { self.socket = socket }

        /// Waits for the next message.
        ///
        /// - Returns: The message; `nil` at the end, and after an error.
        /// - Throws: The errors of ``WebSocket/receive()``.
        public mutating func next() async throws -> WebSocketMessage? {
            try await next(#isolation)
        }

        /// Waits for the next message without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The message; `nil` at the end, and after an error.
        /// - Throws: The errors of ``WebSocket/receive()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> WebSocketMessage? {
            try await next(actor)
        }

        private mutating func next(_ isolation: isolated (any Actor)?) async throws -> WebSocketMessage? {
            guard !hasFailed else { return nil }
            do {
                return try await socket.connection.receive(isolation: isolation)
            } catch {
                hasFailed = true
                throw error
            }
        }
    }
}

@available(*, unavailable)
extension WebSocketMessages.AsyncIterator: Sendable {}
