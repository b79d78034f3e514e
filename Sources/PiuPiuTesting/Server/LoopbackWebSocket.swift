import PiuPiuAsync

#if WebSockets
/// The state of a connection of a ``LoopbackServer`` that has become a WebSocket.
struct LoopbackWebSocket {
    var reader = ClientFrameReader()
    /// The messages that no step has used.
    var messages: [WebSocketMessage] = []
    /// The messages that the current step still waits for; `nil` if it does not wait.
    var awaited: Int?
    /// Whether the current step sends messages back.
    var echoes = false
    var hasSentClose = false
    var hasClientClosed = false

    /// The number of unused messages at which the server stops reading.
    static let largestBacklog = 1000
}

extension Connection {
    var isWebSocket: Bool { webSocket != nil }

    /// Whether the current step waits for the client.
    var awaitsMessages: Bool { webSocket?.awaited != nil }

    /// Runs a step, after all earlier bytes were sent.
    func run(_ step: WebSocketStep) {
        switch step {
        case .open(let subprotocol, let headers): open(subprotocol, headers)
        case .send(let bytes):
            if webSocket?.hasSentClose != true { enqueue(bytes) }
            nextStep()
        case .await(let count): wait(for: count, echoes: false)
        case .echo(let count): wait(for: count ?? .max, echoes: true)
        case .close(let code, let reason):
            guard webSocket?.hasSentClose == false else { return nextStep() }
            enqueue(ServerFrame.close(code, reason))
            webSocket?.hasSentClose = true
            // Messages of the client are read up to its close frame.
            wait(for: .max, echoes: false)
        }
    }

    private func open(_ subprotocol: String?, _ headers: HeaderList) {
        let fields = ServerFrame.acceptance(
            of: request?.header("Sec-WebSocket-Key"),
            subprotocol: subprotocol,
            replacing: headers.map { ($0.name, $0.value) }
        )
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }
        enqueue(Array(("HTTP/1.1 101 Switching Protocols\r\n" + lines.joined() + "\r\n").utf8))
        webSocket = LoopbackWebSocket()
        nextStep()
    }

    private func wait(for count: Int, echoes: Bool) {
        guard webSocket != nil else { return nextStep() }
        webSocket?.awaited = count
        webSocket?.echoes = echoes
        useMessages()
    }

    /// Uses messages that arrived for the current step.
    private func useMessages() {
        guard let awaited = webSocket?.awaited else { return }
        var rest = awaited
        while rest > 0, let message = webSocket?.messages.first {
            webSocket?.messages.removeFirst()
            if webSocket?.echoes == true { enqueue(ServerFrame.bytes(message)) }
            rest -= 1
        }
        webSocket?.awaited = rest
        guard rest == 0 else { return }
        webSocket?.awaited = nil
        nextStep()
    }

    /// Reads frames, and returns whether there were any bytes.
    func parseFrames() -> Bool {
        guard input.count > 0, let socket = webSocket else { return false }
        // A client that does not read its echoes has to wait.
        guard socket.messages.count < LoopbackWebSocket.largestBacklog, output.count < 1 << 20 else { return false }
        webSocket?.reader.append(input.take(input.count))
        do throws(ClientFrameReader.Violation) {
            while phase == .script, let event = try webSocket?.reader.next() { take(event) }
        } catch {
            endWebSocket(WebSocketCloseCode.protocolError.rawValue)
        }
        return true
    }

    private func take(_ event: ClientFrameReader.Event) {
        switch event {
        case .message(let message):
            let path = request?.path ?? "/"
            reactor.core.update { $0.record(message, path: path) }
            webSocket?.messages.append(message)
            useMessages()
        case .ping(let payload):
            if webSocket?.hasSentClose == false { enqueue(ServerFrame.bytes(.pong, payload)) }
        case .pong: break
        case .close(let code, _): endWebSocket(code)
        }
    }

    /// Answers a close frame, and closes the connection after it.
    private func endWebSocket(_ code: UInt16?) {
        if webSocket?.hasSentClose == false { enqueue(ServerFrame.close(code)) }
        webSocket?.hasSentClose = true
        webSocket?.awaited = nil
        if case .gate(let gate) = wait { reactor.core.update { $0.removeHeld(serial, from: gate) } }
        wait = nil
        start([.close])
    }
}

extension LoopbackServer {
    /// The messages that clients have sent over WebSockets.
    ///
    /// - Parameter path: The path of the handshakes, or `nil` for any.
    /// - Returns: The messages, in the order in which they arrived.
    public func webSocketMessages(for path: String? = nil) -> [WebSocketMessage] {
        core.update { $0.webSocketMessages(for: path) }
    }

    /// Waits until clients have sent messages over WebSockets.
    ///
    /// - Parameters:
    ///   - count: The number of messages.
    ///   - path: The path of the handshakes, or `nil` for any.
    /// - Returns: `true` when there are that many; `false` if the task is cancelled or the server stops first.
    @discardableResult
    public func waitForWebSocketMessages(_ count: Int, path: String? = nil) async -> Bool {
        await core.wait(for: .messages(count, path: path))
    }
}
#else
extension Connection {
    var isWebSocket: Bool { false }
    var awaitsMessages: Bool { false }
    func run(_ step: WebSocketStep) { nextStep() }
    func parseFrames() -> Bool { false }
}
#endif
