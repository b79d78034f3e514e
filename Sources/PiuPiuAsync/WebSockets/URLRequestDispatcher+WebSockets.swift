#if WebSockets
extension URLRequestDispatcher {
    /// Opens a WebSocket, and closes it at the end of a scope.
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
    /// The WebSocket closes with 1000 after the scope, with 1011 if the scope throws, and with 1001, without waiting for the server's
    /// answer, if the task was cancelled.
    ///
    /// - Parameters:
    ///   - request: A request without a body, for a URL with the scheme `ws`, `wss`, `http` or `https`; its header fields are sent.
    ///   - options: The settings.
    ///   - body: The code that uses the WebSocket.
    /// - Returns: The result of the code.
    /// - Throws: The errors of ``webSocket(for:options:)``, and those of the code.
    public nonisolated func withWebSocket<Result>(
        for request: URLRequest,
        options: WebSocketOptions = WebSocketOptions(),
        _ body: (WebSocket) async throws -> Result
    ) async throws -> Result {
        let socket = try await webSocket(for: request, options: options)
        do {
            let result = try await body(socket)
            await socket.finish(.normalClosure)
            return result
        } catch {
            await socket.finish(.internalError)
            throw error
        }
    }

    /// Opens a WebSocket.
    ///
    /// The handshake is a request like any other: the dispatcher's interceptors, redirects, cookies, proxies, TLS settings, limits and
    /// observers apply to it. Once the WebSocket is open, no time limit applies, and it uses no connection of others; each one counts
    /// toward ``ConnectionLimits/streamsPerHost``. If the dispatcher shuts down, the WebSocket closes with 1001.
    ///
    /// - Parameters:
    ///   - request: A request without a body, for a URL with the scheme `ws`, `wss`, `http` or `https`; its header fields are sent.
    ///   - options: The settings.
    /// - Returns: The open WebSocket, which closes when it is released.
    /// - Throws: ``WebSocketError`` if the server does not open it, or if the transport cannot; ``TransportError`` if there is no
    ///   response; the errors of interceptors; or `CancellationError` if the task is cancelled, which closes the connection.
    public nonisolated func webSocket(
        for request: URLRequest,
        options: WebSocketOptions = WebSocketOptions()
    ) async throws -> WebSocket {
        // A task keeps the memory of its deepest calls, and it may wait for messages for hours.
        async let socket = core.webSocket(for: request, options: options)
        return try await socket
    }

    /// Reads the messages of a WebSocket, and opens it again whenever it ends.
    ///
    /// ```swift
    /// let feed = dispatcher.webSocketMessages(for: request) { socket in
    ///     try await socket.send(#"{"subscribe": "prices"}"#)
    /// }
    /// for try await element in feed {
    ///     switch element {
    ///     case .opened(_, after: let gap): if gap != nil { await prices.reload() }
    ///     case .message(let message): await prices.take(message)
    ///     }
    /// }
    /// ```
    ///
    /// Messages that the server sends while no WebSocket is open are lost, so each opening after the first tells of its gap.
    ///
    /// - Parameters:
    ///   - request: A request without a body, for a URL with the scheme `ws`, `wss`, `http` or `https`.
    ///   - options: The settings of each WebSocket. Without ``WebSocketOptions/keepAlive``, a connection that is dead without a
    ///     word may not be noticed.
    ///   - reconnecting: How often and after which delays to open it again.
    ///   - onOpen: Sends the first messages of each WebSocket. If it throws a ``WebSocketError``, that WebSocket counts as not
    ///     opened; other errors end the sequence.
    /// - Returns: The messages. Nothing is sent until they are iterated; leaving the loop closes the WebSocket. They do not keep
    ///   the dispatcher alive.
    public nonisolated func webSocketMessages(
        for request: URLRequest,
        options: WebSocketOptions = WebSocketOptions(),
        reconnecting: WebSocketReconnection = WebSocketReconnection(),
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocketMessages {
        ReconnectingWebSocketMessages(reconnecting, clock: core.clock?.base ?? ContinuousClock()) { [core] in
            let socket = try await core.webSocket(for: request, options: options)
            try await onOpen(socket)
            return socket
        }
    }
}

extension DispatcherCore {
    /// Opens a WebSocket; throws the errors of ``URLRequestDispatcher/webSocket(for:options:)``.
    package func webSocket(for request: URLRequest, options: WebSocketOptions) async throws -> WebSocket {
        guard transport is any TunnellingTransport else { throw WebSocketError.unsupported(request) }
        let connection = WebSocketConnection(options, clock: clock?.base ?? ContinuousClock())
        let handshake = try connection.request(for: request)
        let response: Response<ResponseBody>
        do {
            response = try await stream(
                for: handshake,
                options: options.requestOptions,
                tunnel: connection.tunnel
            )
        } catch {
            connection.cancel()
            throw connection.handshakeError(error, for: handshake)
        }
        return try await connection.start(response)
    }
}
#endif
