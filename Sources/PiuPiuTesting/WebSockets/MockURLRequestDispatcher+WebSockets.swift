#if WebSockets
import PiuPiuAsync

// These methods forward to the operations of the real dispatcher.
extension MockURLRequestDispatcher {
    /// Opens a WebSocket, and closes it at the end of a scope, as `URLRequestDispatcher.withWebSocket(for:options:_:)` does.
    ///
    /// - Parameters:
    ///   - request: A request without a body.
    ///   - options: The settings.
    ///   - body: The code that uses the WebSocket.
    /// - Returns: The result of the code.
    /// - Throws: The errors of ``webSocket(for:options:)``, and those of the code.
    public nonisolated func withWebSocket<Result>(
        for request: URLRequest,
        options: WebSocketOptions = WebSocketOptions(),
        _ body: (WebSocket) async throws -> Result
    ) async throws -> Result {
        try await dispatcher.withWebSocket(for: request, options: options, body)
    }

    /// Opens a WebSocket, as `URLRequestDispatcher.webSocket(for:options:)` does.
    ///
    /// - Parameters:
    ///   - request: A request without a body.
    ///   - options: The settings.
    /// - Returns: The open WebSocket, which closes when it is released.
    /// - Throws: `WebSocketError` if the answer does not open one, or the errors of ``data(for:)``.
    public nonisolated func webSocket(
        for request: URLRequest,
        options: WebSocketOptions = WebSocketOptions()
    ) async throws -> WebSocket {
        try await dispatcher.webSocket(for: request, options: options)
    }

    /// Reads the messages of a WebSocket, and opens it again whenever it ends.
    ///
    /// It works as `URLRequestDispatcher.webSocketMessages(for:options:reconnecting:onOpen:)` does.
    ///
    /// - Parameters:
    ///   - request: A request without a body.
    ///   - options: The settings of each WebSocket.
    ///   - reconnecting: How often and after which delays to open it again.
    ///   - onOpen: Sends the first messages of each WebSocket.
    /// - Returns: The messages.
    public nonisolated func webSocketMessages(
        for request: URLRequest,
        options: WebSocketOptions = WebSocketOptions(),
        reconnecting: WebSocketReconnection = WebSocketReconnection(),
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocketMessages {
        dispatcher.webSocketMessages(for: request, options: options, reconnecting: reconnecting, onOpen: onOpen)
    }
}
#endif
