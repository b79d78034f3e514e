#if WebSockets
import PiuPiuAsync

extension MockAnswer {
    /// Creates an answer that opens a WebSocket, and plays the server's side of it.
    ///
    /// ```swift
    /// let transport = MockTransport { request in
    ///     guard request["Authorization"] != nil else { return MockAnswer(.unauthorized) }
    ///     return .webSocket { server in
    ///         for try await message in server.messages { try await server.send(message) }
    ///     }
    /// }
    /// ```
    ///
    /// A refusal of a handshake is any other answer. A request that does not ask for a WebSocket ends with
    /// `TransportError.Code.malformedHead`.
    ///
    /// - Parameters:
    ///   - subprotocol: The subprotocol that the server chooses.
    ///   - headers: Further header fields; they replace those of the handshake, for a handshake that is not acceptable.
    ///   - delay: The delay of the head after the request.
    ///   - script: The server's side. The WebSocket closes with 1000 after it, and with 1011 if it throws. Its task is cancelled at the
    ///     end of the connection.
    /// - Returns: The answer.
    public static func webSocket(
        subprotocol: String? = nil,
        headers: HTTPHeaderFields = [:],
        after delay: Duration = .zero,
        _ script: @escaping @Sendable (_ server: MockWebSocket) async throws -> Void
    ) -> MockAnswer {
        let script = MockWebSocketScript(subprotocol: subprotocol, peer: { MockWebSocket() }) { await $0.play(script) }
        return MockAnswer(webSocket: script, headers: headers, after: delay)
    }

    /// Creates an answer that opens a WebSocket to a peer that the test uses itself.
    ///
    /// ```swift
    /// let server = MockWebSocket()
    /// let dispatcher = URLRequestDispatcher(transport: MockTransport(answers: [.webSocket(server)]))
    /// let chat = try await Chat(dispatcher)
    /// try await server.send("hello")
    /// #expect(try await chat.nextLine() == "hello")
    /// ```
    ///
    /// - Parameters:
    ///   - peer: The peer, which answers one handshake.
    ///   - subprotocol: The subprotocol that the server chooses.
    ///   - headers: Further header fields, as for ``webSocket(subprotocol:headers:after:_:)``.
    ///   - delay: The delay of the head after the request.
    /// - Returns: The answer.
    public static func webSocket(
        _ peer: MockWebSocket,
        subprotocol: String? = nil,
        headers: HTTPHeaderFields = [:],
        after delay: Duration = .zero
    ) -> MockAnswer {
        let script = MockWebSocketScript(subprotocol: subprotocol, peer: { peer }) { _ in }
        return MockAnswer(webSocket: script, headers: headers, after: delay)
    }
}

/// The part of an answer that opens a WebSocket.
struct MockWebSocketScript: Sendable {
    let subprotocol: String?
    let peer: @Sendable () -> MockWebSocket
    let play: @Sendable (MockWebSocket) async -> Void

    /// The head of the response to a handshake.
    func head(answering request: MockRequest, _ answer: MockAnswer) -> HTTPHeaderFields {
        let fields = ServerFrame.acceptance(
            of: request["Sec-WebSocket-Key"],
            subprotocol: subprotocol,
            replacing: answer.headers.map { ($0.name, $0.value) }
        )
        return HTTPHeaderFields(fields.map { HTTPHeaderField(name: $0.name, value: $0.value) })
    }
}
#endif
