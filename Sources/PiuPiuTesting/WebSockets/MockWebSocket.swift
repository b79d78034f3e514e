#if WebSockets
import PiuPiuAsync

/// The server's side of a WebSocket whose client is under test.
///
/// ```swift
/// let transport = MockTransport { _ in
///     .webSocket { server in
///         try await server.send("hello")
///         #expect(try await server.receive() == .text("hi"))
///         try await server.close(code: .goingAway)
///     }
/// }
/// let dispatcher = URLRequestDispatcher(transport: transport)
/// ```
///
/// The client is the real one, down to the bytes of its frames: its limits, its closing handshake and its errors are those of a real
/// connection. Pings and the client's close frame are answered without the script, unless ``answersPings`` or ``answersClose`` is
/// `false`. The peer does not compress messages.
///
/// A test can also act as the server itself: it creates a peer, answers with ``MockAnswer/webSocket(_:subprotocol:headers:after:)``,
/// and uses the peer beside the code under test.
public final class MockWebSocket: Sendable {
    /// What a connection does after its last byte.
    enum Connection {
        case open, closed, dropped
    }

    fileprivate struct State {
        // Counts changes, so that a task that is about to wait for one does not miss it.
        var version = 0
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []

        var wake: (@Sendable () -> Void)?
        var clock = TransferClock(ContinuousClock())
        var request: MockRequest?
        var connection = Connection.open
        var isOver = false

        var reader = ClientFrameReader()
        var messages: [WebSocketMessage] = []
        var readCount = 0
        var pings: [Data] = []
        var pongs: [Data] = []
        var violation: ClientFrameReader.Violation?

        var output: [UInt8] = []
        var outputStart = 0
        // The bytes that were passed to `send`, and those that the client took.
        var sentCount = 0
        var takenCount = 0
        var pingCount: UInt64 = 0

        var ownClose: (code: UInt16?, reason: String)?
        var clientClose: (code: UInt16?, reason: String)?
        var clientWasFirst = false
        var answersPings = true
        var answersClose = true
    }

    private let state = Locked(State())

    /// Creates a peer that is used once, for ``MockAnswer/webSocket(_:subprotocol:headers:after:)``.
    public init() {}

    // MARK: The record

    /// The request that opened it; `nil` before.
    public var request: MockRequest? { state.withLock { $0.request } }

    /// All messages that the client has sent, in order, whether ``receive()`` returned them or not.
    public var received: [WebSocketMessage] { state.withLock { $0.messages } }

    /// The payloads of the pings that the client has sent.
    public var receivedPings: [Data] { state.withLock { $0.pings } }

    /// How it was closed; `nil` until its connection has ended.
    public var closure: WebSocketClosure? { state.withLock { $0.isOver ? $0.closure : nil } }

    /// Whether the client's pings are answered; `true` by default.
    public var answersPings: Bool {
        get { state.withLock { $0.answersPings } }
        set { state.withLock { $0.answersPings = newValue } }
    }

    /// Whether the client's close frame is answered, and the connection closed then; `true` by default.
    public var answersClose: Bool {
        get { state.withLock { $0.answersClose } }
        set { state.withLock { $0.answersClose = newValue } }
    }

    // MARK: Messages

    /// Sends a text, and returns when the client has taken it.
    ///
    /// A client that does not read takes about 256 KiB.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``MockWebSocketClosedError`` if it is closed, or `CancellationError`.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends bytes, and returns when the client has taken them.
    ///
    /// - Parameter data: The bytes.
    /// - Throws: The errors of ``send(_:)-(String)``.
    public func send(_ data: Data) async throws { try await send(.binary(data)) }

    /// Sends a message, and returns when the client has taken it.
    ///
    /// - Parameter message: The message.
    /// - Throws: The errors of ``send(_:)-(String)``.
    public func send(_ message: WebSocketMessage) async throws { try await write(ServerFrame.bytes(message)) }

    /// Sends bytes as they are, such as a part of a frame or one that violates the protocol.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: The errors of ``send(_:)-(String)``.
    public func sendRaw(_ bytes: some Collection<UInt8>) async throws { try await write(Array(bytes)) }

    /// Waits for the client's next message.
    ///
    /// - Returns: The message; `nil` after the client's close frame, and after the end.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func receive() async throws -> WebSocketMessage? {
        try await wait { state -> WebSocketMessage?? in
            if state.readCount < state.messages.count {
                state.readCount += 1
                return state.messages[state.readCount - 1]
            }
            return state.clientClose != nil || state.isOver ? .some(nil) : nil
        }
    }

    /// The client's messages that were not read yet, to the end.
    public var messages: some AsyncSequence<WebSocketMessage, any Error> & Sendable {
        AsyncThrowingStream { try await self.receive() }
    }

    /// Sends a ping, and waits for its pong.
    ///
    /// - Throws: The errors of ``send(_:)-(String)``.
    public func ping() async throws {
        let payload = state.withLock { state in
            state.pingCount += 1
            return Data("mock \(state.pingCount)".utf8)
        }
        try await write(ServerFrame.bytes(.ping, payload))
        try await wait { state -> Void? in
            if state.pongs.contains(payload) { return () }
            guard !state.isOver else { throw MockWebSocketClosedError() }
            return nil
        }
    }

    /// Waits on the transport's clock, which a test may move.
    ///
    /// - Parameter duration: How long.
    /// - Throws: `CancellationError` if the task is cancelled, such as after the end.
    public func sleep(for duration: Duration) async throws {
        try await state.withLock { $0.clock }.sleep(duration)
    }

    // MARK: The end

    /// Sends a close frame, waits for the client's, and closes the connection.
    ///
    /// - Parameters:
    ///   - code: Any code; `nil` for a close frame without one.
    ///   - reason: The reason.
    /// - Returns: How the WebSocket was closed, by whichever side was first.
    /// - Throws: `CancellationError` if the task is cancelled.
    @discardableResult
    public func close(code: WebSocketCloseCode? = .normalClosure, reason: String = "") async throws -> WebSocketClosure
    {
        change { $0.close(code?.rawValue, reason) }
        return try await waitForClosure()
    }

    /// Ends the connection without a close frame, as a broken network does.
    public func drop() {
        change { $0.connection = .dropped }
    }

    /// Waits until the connection has ended.
    ///
    /// - Returns: How the WebSocket was closed.
    /// - Throws: `CancellationError` if the task is cancelled.
    @discardableResult
    public func waitForClosure() async throws -> WebSocketClosure {
        try await wait { $0.isOver ? $0.closure : nil }
    }

    /// Plays a script, and closes at its end: with 1000, or with 1011 if it throws.
    func play(_ script: @Sendable (MockWebSocket) async throws -> Void) async {
        do {
            try await script(self)
            change { $0.close(WebSocketCloseCode.normalClosure.rawValue, "") }
        } catch is MockWebSocketClosedError {
            // The client has left.
        } catch {
            change { $0.close(WebSocketCloseCode.internalError.rawValue, "The script threw \(type(of: error))") }
        }
    }

    // MARK: The transport

    /// Records the handshake; returns `false` if there was one before.
    func take(_ request: MockRequest, _ clock: TransferClock) -> Bool {
        state.withLock { state in
            guard state.request == nil else { return false }
            (state.request, state.clock) = (request, clock)
            return true
        }
    }

    /// Begins to pass bytes on; `wake` announces bytes to send.
    func open(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Takes bytes of the client.
    func arrived(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        let bytes = Array(bytes)
        change { $0.arrived(bytes) }
    }

    /// Returns the next bytes for the client, or `nil` and what happens after the last.
    func next(_ limit: Int) -> ([UInt8]?, Connection) {
        state.withLock { state in
            guard state.connection != .dropped else { return (nil, .dropped) }
            let rest = state.output.count - state.outputStart
            guard rest > 0 else { return (nil, state.connection) }
            return (Array(state.output[state.outputStart..<state.outputStart + min(rest, limit)]), .open)
        }
    }

    /// Records that the client took bytes.
    func taken(_ count: Int) {
        change { state in
            state.takenCount += count
            state.outputStart += count
            guard state.outputStart == state.output.count || state.outputStart > 1 << 20 else { return }
            state.output.removeSubrange(..<state.outputStart)
            state.outputStart = 0
        }
    }

    /// Records the end of the connection.
    func ended() {
        change { state in
            state.isOver = true
            state.wake = nil
        }
    }

    // MARK: Waiting

    private func write(_ bytes: [UInt8]) async throws {
        let target = change { state -> Int? in
            guard state.ownClose == nil, state.connection == .open, !state.isOver else { return nil }
            state.add(bytes)
            return state.sentCount
        }
        guard let target else { throw MockWebSocketClosedError() }
        try await wait { state -> Void? in
            if state.takenCount >= target { return () }
            guard !state.isOver else { throw MockWebSocketClosedError() }
            return nil
        }
    }

    /// Changes the state, and lets everybody look at it again who waits for a change.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, wake, waiters) = state.withLock { state in
            let result = body(&state)
            state.version += 1
            defer { state.waiters = [:] }
            return (result, state.wake, Array(state.waiters.values))
        }
        wake?()
        for waiter in waiters { waiter.resume() }
        return result
    }

    /// Waits until a condition has a value.
    private func wait<Value: Sendable>(_ condition: (inout State) throws -> Value?) async throws -> Value {
        while true {
            let (value, version) = try state.withLock { (try condition(&$0), $0.version) }
            if let value { return value }
            try await waitForChange(after: version)
        }
    }

    private func waitForChange(after version: Int) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, CancellationError>? = state.withLock { state in
                    if state.cancelled.contains(id) { return .failure(CancellationError()) }
                    guard state.version == version else { return .success(()) }
                    state.waiters[id] = waiter
                    return nil
                }
                if let result { waiter.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(id)
                return state.waiters.removeValue(forKey: id)
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}

extension MockWebSocket.State {
    mutating func add(_ bytes: [UInt8]) {
        output += bytes
        sentCount += bytes.count
    }

    mutating func close(_ code: UInt16?, _ reason: String) {
        guard ownClose == nil, connection == .open, !isOver else { return }
        ownClose = (code, reason)
        add(ServerFrame.close(code, reason))
        if clientClose != nil { connection = .closed }
    }

    mutating func arrived(_ bytes: [UInt8]) {
        guard violation == nil else { return }
        reader.append(bytes)
        do throws(ClientFrameReader.Violation) {
            while let event = try reader.next() { arrived(event) }
        } catch {
            violation = error
            close(WebSocketCloseCode.protocolError.rawValue, error.text)
        }
    }

    private mutating func arrived(_ event: ClientFrameReader.Event) {
        switch event {
        case .message(let message): messages.append(message)
        case .ping(let payload):
            pings.append(Data(payload))
            if answersPings, ownClose == nil { add(ServerFrame.bytes(.pong, payload)) }
        case .pong(let payload): pongs.append(Data(payload))
        case .close(let code, let reason):
            clientClose = (code, reason)
            clientWasFirst = ownClose == nil
            if ownClose != nil { connection = .closed } else if answersClose { close(code, "") }
        }
    }

    /// How it was closed, as far as is known.
    var closure: WebSocketClosure {
        let isClean = ownClose != nil && clientClose != nil
        let initiator: WebSocketClosure.Side =
            clientWasFirst || ownClose == nil && connection != .dropped ? .client : .server
        guard let first = clientWasFirst ? clientClose : ownClose else {
            return WebSocketClosure(code: .abnormalClosure, initiator: initiator, isClean: false)
        }
        let code = first.code.map { WebSocketCloseCode(rawValue: $0) } ?? .noStatusReceived
        return WebSocketClosure(code: code, reason: first.reason, initiator: initiator, isClean: isClean)
    }
}

extension MockWebSocket: Redacted {
    /// The number of messages, and how it was closed.
    package var shown: KeyValuePairs<String, Any> {
        ["received": received.count, "closure": closure.map { "\($0.code)" } ?? "none"]
    }
}

/// A ``MockWebSocket`` cannot send, because it is closed or its connection has ended.
public struct MockWebSocketClosedError: LocalizedError, CustomStringConvertible, Sendable, Hashable {
    /// Creates an error.
    public init() {}

    /// A sentence in English that describes the error.
    public var description: String { "The mock's WebSocket is closed." }

    /// A sentence in English that describes the error.
    public var errorDescription: String? { description }
}
#endif
