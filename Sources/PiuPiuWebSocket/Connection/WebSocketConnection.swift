/// A WebSocket on its tunnel: the shell around ``CloseMachine``, ``MessageInbox``, ``FrameOutbox`` and ``FrameReader``.
///
/// The transport's loop passes on what arrives and takes what is to be sent; tasks of the program add messages and wait for them.
/// Everything that both use is under one lock. The reader of frames belongs to the loop's thread alone.
///
/// Cancelling a task that waits for a message, for room or for a pong ends that wait; the WebSocket stays open. The end comes once,
/// from the transport (``ended(_:)``), and resumes everybody who waits.
package final class WebSocketConnection: Sendable {
    typealias MessageWaiter = Waiter<WebSocketMessage?>
    typealias SendWaiter = CheckedContinuation<Void, any Error>

    struct State {
        var closing = CloseMachine()
        var inbox = MessageInbox<MessageWaiter>()
        var outbox = FrameOutbox<SendWaiter>()
        var masks = MaskSource()
        var pings = PingList<CheckedContinuation<Duration, any Error>>()
        /// The payload of the last ping that could not be answered yet.
        var pong: [UInt8]?
        var closeWaiters: [CheckedContinuation<WebSocketClosure, Never>] = []
        var line: TunnelLine?
        /// The body of the response, which has no bytes, and keeps the call in progress.
        var body: ResponseBody?
        /// Why the response of the last attempt was refused; `nil` if none was.
        var refusal: String?
        var key: WebSocketKey?
        var agreement: WebSocketHandshake.Agreement?
        /// Whether the dispatcher has begun to shut down.
        var isLeaving = false
        var timer: Task<Void, Never>?
        var keepAlive: Task<Void, Never>?
        /// The error for those who read, after the end.
        var error: (any Error)?
    }

    let state = Locked(State())
    let options: WebSocketOptions
    let clock: any Clock<Duration>
    let handshake: WebSocketHandshake
    // Sound, because only the thread of the loop uses them, from `opened` on.
    private nonisolated(unsafe) var frames: FrameReader?
    // Sound, because they are set once, before the request is passed to the transport.
    private(set) nonisolated(unsafe) var call: ObservedCall?
    private nonisolated(unsafe) var observedBytes = 0
    /// Compresses messages; used by the sender that has the turn, and set once, before the first.
    nonisolated(unsafe) var deflater: MessageDeflater?

    /// Creates the end of a tunnel that is to be opened.
    package init(_ options: WebSocketOptions, clock: any Clock<Duration>) {
        self.options = options
        self.clock = clock
        handshake = WebSocketHandshake(options)
    }

    /// Reports a message to observers, if there are any.
    func report(
        _ direction: ObservedMessage.Direction,
        isText: Bool,
        _ bytes: @autoclosure () -> UnsafeRawBufferPointer
    ) {
        guard let call else { return }
        let bytes = bytes()
        let beginning = observedBytes > 0 ? Data(bytes.prefix(observedBytes)) : Data()
        call.report(
            .webSocketMessage(ObservedMessage(direction, isText: isText, byteCount: bytes.count, beginning: beginning))
        )
    }

    private func report(_ message: WebSocketMessage) {
        guard call != nil else { return }
        switch message {
        case .text(var text): text.withUTF8 { report(.received, isText: true, UnsafeRawBufferPointer($0)) }
        case .binary(let data): data.withUnsafeBytes { report(.received, isText: false, $0) }
        }
    }

    /// Reports the end to observers.
    func report(_ closure: WebSocketClosure) {
        call?.report(.webSocketClosed(code: Int(closure.code.rawValue), isClean: closure.isClean))
    }

    /// What the server agreed to; `nil` before it did.
    var agreement: WebSocketHandshake.Agreement? { state.withLock { $0.agreement } }
}

extension WebSocketConnection: TunnelEnd {
    package func observe(_ call: ObservedCall?) {
        self.call = call
        observedBytes = call?.bodyLimit ?? 0
    }

    package func beginAttempt() -> FieldList {
        let key = WebSocketKey()
        state.withLock { $0.key = key }
        return FieldList("Sec-WebSocket-Key", key.text)
    }

    package func opened(_ head: RawHead, isHTTP2: Bool, line: TunnelLine) -> String? {
        let key = state.withLock { isHTTP2 ? nil : $0.key }
        let agreement: WebSocketHandshake.Agreement
        do throws(WebSocketHandshake.Refusal) {
            guard isHTTP2 || key != nil else { throw WebSocketHandshake.Refusal("There was no key") }
            agreement = try handshake.agreement(head, key: key)
        } catch {
            let reason = WebSocketError.Code.invalidHandshake.text + ": " + error.text
            state.withLock { $0.refusal = reason }
            return reason
        }
        let isOpen = state.withLock { state in
            guard state.closing.open() else { return false }
            state.line = line
            state.agreement = agreement
            return true
        }
        // A policy sent the request twice, or the caller has left.
        guard isOpen else { return "The WebSocket is open already, or was given up" }
        frames = FrameReader(
            maximumMessageSize: options.maximumMessageSize,
            inflater: agreement.compression.map {
                MessageInflater(windowBits: $0.serverMaxWindowBits, keepsContext: !$0.serverNoContextTakeover)
            }
        )
        deflater = agreement.compression.flatMap {
            MessageDeflater(windowBits: $0.clientMaxWindowBits ?? 15, keepsContext: !$0.clientNoContextTakeover)
        }
        if state.withLock({ $0.isLeaving }) { leave() }
        return nil
    }

    package func received(_ bytes: UnsafeRawBufferPointer) -> TunnelReceipt {
        switch state.withLock({ $0.admits() }) {
        case true?: break
        case false?: return .full
        case nil: return .taken
        }
        var input = bytes
        var isAnswered = false
        do throws(WebSocketViolation) {
            while let event = try frames?.next(&input) {
                switch event {
                case .needsMore: return isAnswered ? .answered : .taken
                case .message(let message, _):
                    report(message)
                    if let waiter = state.withLock({ $0.inbox.add(message) }) { waiter.resume(returning: message) }
                case .ping(let payload):
                    state.withLock { $0.answer(payload) }
                    isAnswered = true
                case .pong(let payload): pongArrived(payload)
                case .close(let code, let reason):
                    closeArrived(code.map { WebSocketCloseCode(rawValue: $0) }, reason)
                    return .answered
                }
            }
        } catch {
            let code: WebSocketError.Code = error.closeCode == .messageTooBig ? .messageTooLarge : .protocolViolation
            fail(WebSocketError.Fault(code, error.text.trimmingSuffix(".")), error.closeCode)
            return .answered
        }
        return isAnswered ? .answered : .taken
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> TunnelOutput {
        let (output, next) = state.withLock { $0.read(into: buffer) }
        next?.resume()
        return output
    }
}

extension WebSocketConnection.State {
    /// Whether bytes that arrived are taken; `nil` if they are not wanted.
    mutating func admits() -> Bool? {
        guard closing.mayReceive else { return nil }
        return !inbox.isFull()
    }

    /// Adds a frame that is not part of a message.
    mutating func add(_ opcode: FrameOpcode, _ payload: [UInt8]) {
        let key = masks.next()
        outbox.add(payload.count + FrameWriter.maximumHeaderSize) { output in
            payload.withUnsafeBytes { FrameWriter.appendFrame($0, opcode: opcode, key: key, to: &output) }
        }
    }

    /// Adds a close frame.
    mutating func add(_ frame: CloseMachine.Frame) {
        guard let code = frame.code else { return add(.close, []) }
        add(.close, [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + Array(frame.reason.utf8))
    }

    /// Answers a ping, or only the last of many if the server does not take the answers (RFC 6455 §5.5.3).
    mutating func answer(_ ping: [UInt8]) {
        guard closing.maySend else { return }
        if outbox.count < FrameOutbox<WebSocketConnection.SendWaiter>.pieceSize {
            add(.pong, ping)
        } else {
            pong = ping
        }
    }

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) -> (TunnelOutput, next: WebSocketConnection.SendWaiter?) {
        if let payload = pong.take(), closing.maySend { add(.pong, payload) }
        let (count, next) = outbox.read(into: buffer)
        guard count == 0 else { return (.bytes(count), next) }
        if closing.endsAfterSending { return (.over, next) }
        // Some servers of HTTP/2 have forgotten the stream once they answered, and take its end for a fault.
        if closing.isAnswered, agreement?.isHTTP2 == true { return (.over, next) }
        return (closing.isSentWhole ? .end : .none, next)
    }
}

extension String {
    /// Returns the text without an ending, if it has it.
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
