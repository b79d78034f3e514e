/// An open WebSocket: messages both ways over one connection (RFC 6455).
///
/// ```swift
/// try await dispatcher.withWebSocket(for: request) { socket in
///     try await socket.send("hello")
///     for try await message in socket.messages {
///         print(message.text ?? "binary")
///     }
/// }
/// ```
///
/// - **Sending** returns when the transport has taken the message. While 256 KiB wait for the server, the next sender waits.
/// - **Receiving**: one task at a time reads. While about 256 KiB wait to be read, nothing more is taken from the connection, and the
///   server has to wait.
/// - **Pings** of the server are answered without the program.
/// - **The end** comes once: by ``close(code:reason:)``, by the server, by a failure, or when the last reference to the WebSocket is
///   released, which sends 1000 and cuts the connection off. Keep the dispatcher as long as the WebSocket.
///
/// All functions can be called from any task. Cancelling a task that waits ends its wait, and leaves the WebSocket open.
public final class WebSocket: Sendable {
    /// The head of the handshake's response: 101 over HTTP/1.1, a code from 200 to 299 over HTTP/2.
    public let response: ResponseHead
    let connection: WebSocketConnection

    /// Creates a WebSocket whose handshake is over.
    package init(_ connection: WebSocketConnection, _ response: ResponseHead) {
        self.connection = connection
        self.response = response
    }

    deinit {
        connection.abandon(.normalClosure)
    }

    /// The subprotocol that the server chose from ``WebSocketOptions/subprotocols``; `nil` if it chose none.
    public var subprotocol: String? { connection.agreement?.subprotocol }

    /// Whether the server agreed to compress messages (RFC 7692).
    public var isCompressed: Bool { connection.agreement?.compression != nil }

    /// Whether the WebSocket is a stream of an HTTP/2 connection (RFC 8441).
    public var isHTTP2: Bool { connection.agreement?.isHTTP2 ?? false }

    // MARK: Messages

    /// Sends a text.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``WebSocketError`` if the WebSocket is closed, or `CancellationError` if the task is cancelled before there is room;
    ///   then nothing was sent.
    public func send(_ text: String) async throws {
        try Task.checkCancellation()
        var text = text
        if try text.withUTF8({ try connection.sendAtOnce(.text, UnsafeRawBufferPointer($0)) }) { return }
        try await connection.sendLater(.text, Data(text.utf8))
    }

    /// Sends bytes.
    ///
    /// - Parameter data: The bytes.
    /// - Throws: The errors of ``send(_:)-(String)``.
    public func send(_ data: Data) async throws {
        try Task.checkCancellation()
        if try data.withUnsafeBytes({ try connection.sendAtOnce(.binary, $0) }) { return }
        try await connection.sendLater(.binary, data)
    }

    /// Sends a message.
    ///
    /// - Parameter message: The message.
    /// - Throws: The errors of ``send(_:)-(String)``.
    public func send(_ message: WebSocketMessage) async throws {
        switch message {
        case .text(let text): try await send(text)
        case .binary(let data): try await send(data)
        }
    }

    /// Sends one text in parts as they are produced, each of which is a fragment (RFC 6455 §5.4).
    ///
    /// Other messages wait until it is complete. If the sequence throws, or the task is cancelled, the message cannot be completed,
    /// and the WebSocket closes with 1011.
    ///
    /// - Parameter parts: The parts; empty ones are left out.
    /// - Throws: The errors of ``send(_:)-(String)``, and those of the sequence.
    public func sendText<Parts: AsyncSequence>(inParts parts: Parts) async throws where Parts.Element == String {
        try await connection.send(.text, parts: parts, isolation: #isolation) { Data($0.utf8) }
    }

    /// Sends one binary message in parts as they are produced, each of which is a fragment (RFC 6455 §5.4).
    ///
    /// Other messages wait until it is complete. If the sequence throws, or the task is cancelled, the message cannot be completed,
    /// and the WebSocket closes with 1011.
    ///
    /// - Parameter parts: The parts; empty ones are left out.
    /// - Throws: The errors of ``send(_:)-(String)``, and those of the sequence.
    public func sendData<Parts: AsyncSequence>(inParts parts: Parts) async throws where Parts.Element == Data {
        try await connection.send(.binary, parts: parts, isolation: #isolation) { $0 }
    }

    /// The messages of the server, in the order in which it sent them.
    ///
    /// The sequence ends if this side closes the WebSocket, or if the server does with 1000, 1001 or without a code; otherwise it
    /// throws a ``WebSocketError``. Each message is delivered once: a second loop continues where the first one stopped. Leaving a
    /// loop does not close the WebSocket.
    public var messages: WebSocketMessages { WebSocketMessages(socket: self) }

    /// Waits for the next message.
    ///
    /// - Returns: The message; `nil` after the end, as for ``messages``.
    /// - Throws: ``WebSocketError`` if the WebSocket did not end well, ``WebSocketError/Code/alreadyReading`` if another task waits
    ///   for a message, or `CancellationError`; no message is lost then.
    public func receive() async throws -> WebSocketMessage? {
        try await connection.receive(isolation: #isolation)
    }

    // MARK: Control

    /// Sends a ping, and waits for its pong.
    ///
    /// Pongs are recognized whether messages are read or not, as long as the unread ones have room. There is no time limit; see
    /// ``WebSocketOptions/keepAlive``.
    ///
    /// - Returns: The time from the ping to its pong.
    /// - Throws: ``WebSocketError`` if the WebSocket is or gets closed, or `CancellationError`.
    @discardableResult
    public func ping() async throws -> Duration {
        try await connection.ping()
    }

    /// Closes the WebSocket, and waits for the end of its connection.
    ///
    /// Messages that were sent before arrive; those that the server sent before its answer can still be read. If the server does not
    /// answer within ``WebSocketOptions/closeTimeout``, or the task is cancelled, the connection is cut off. Does nothing but wait if
    /// the WebSocket is closed already.
    ///
    /// - Parameters:
    ///   - code: The code: one of 1000 to 1003, 1007 to 1011, or 3000 to 4999 (RFC 6455 §7.4).
    ///   - reason: A reason for the server's logs, of at most 123 bytes of UTF-8.
    /// - Returns: How the WebSocket was closed, by whichever side was first.
    /// - Throws: ``WebSocketError/Code/invalidArgument`` if a client may not send the code or the reason; nothing happens then.
    @discardableResult
    public func close(code: WebSocketCloseCode = .normalClosure, reason: String = "") async throws -> WebSocketClosure {
        try await connection.close(code, reason)
    }

    /// How the WebSocket was closed; `nil` until its connection has ended.
    public var closure: WebSocketClosure? { connection.closure }

    /// Waits until the WebSocket has ended, whoever closes it.
    ///
    /// Cancelling the task does not end the wait.
    ///
    /// - Returns: How it was closed.
    public func waitForClosure() async -> WebSocketClosure {
        await connection.waitForEnd(cutsOffIfCancelled: false)
    }
}

extension WebSocket: Redacted {
    /// The URL without its query, and how the WebSocket was closed.
    package var shown: KeyValuePairs<String, Any> {
        [
            "url": Redaction.standard.location(of: response.url),
            "closure": closure.map { "\($0.code)" } ?? "none",
        ]
    }
}
