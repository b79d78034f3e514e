/// Which frames may go where, from the handshake to the one end of a WebSocket; a pure value.
///
/// | Phase | Event | Then |
/// |---|---|---|
/// | `handshake` | the server agreed | `open` |
/// | `open` | this side closes | `closing`: a close frame is sent, messages still arrive |
/// | `open` | the server closes | `closed`: its code is sent back |
/// | `open`, `closing` | the server violates the protocol, or a ping has no answer | `failed`: a close frame is sent if none was |
/// | `closing` | the server's close frame | `closed` |
/// | any but `closed`, `over` | the WebSocket is released | `abandoned`: a close frame is sent if none was, and the connection is cut off |
/// | any but `over` | the connection ends | `over`, once, with the closure |
///
/// In `closed`, the server ends the connection (RFC 6455 §7.1.1); a time limit applies to that, and to the answer in `closing`.
struct CloseMachine {
    enum Phase: Equatable {
        case handshake, open, closing, closed, failed, abandoned, over
    }

    /// A close frame to send.
    struct Frame: Equatable {
        let code: WebSocketCloseCode?
        let reason: String
    }

    private(set) var phase = Phase.handshake
    /// How it was closed; `nil` while that is open.
    private(set) var closure: WebSocketClosure?
    /// Why it failed; `nil` if it did not.
    private(set) var failure: WebSocketError.Fault?
    /// What this side sent.
    private var sent: Frame?

    /// Whether messages may be sent.
    var maySend: Bool { phase == .open }

    /// Whether what arrives is wanted.
    var mayReceive: Bool { phase == .open || phase == .closing }

    /// Records that the server agreed; returns `false` if the WebSocket was given up before.
    mutating func open() -> Bool {
        guard phase == .handshake else { return false }
        phase = .open
        return true
    }

    /// Closes from this side, and returns the frame to send; `nil` if there is nothing to close.
    mutating func close(_ frame: Frame) -> Frame? {
        guard phase == .open else { return nil }
        phase = .closing
        sent = frame
        return frame
    }

    /// Records the server's close frame, and returns the frame to send; `nil` if one was sent.
    mutating func closeArrived(_ code: WebSocketCloseCode?, _ reason: String) -> Frame? {
        switch phase {
        case .open:
            phase = .closed
            closure = WebSocketClosure(
                code: code ?? .noStatusReceived,
                reason: reason,
                initiator: .server,
                isClean: true
            )
            // RFC 6455 §5.5.1: the answer usually has the same code.
            sent = Frame(code: code, reason: "")
            return sent
        case .closing:
            phase = .closed
            closure = closureOfOwn(isClean: true)
            return nil
        case .handshake, .closed, .failed, .abandoned, .over: return nil
        }
    }

    /// Records a failure that ends the connection, and returns the frame to send; `nil` if one was sent.
    mutating func fail(_ fault: WebSocketError.Fault, _ code: WebSocketCloseCode) -> Frame? {
        switch phase {
        case .open:
            phase = .failed
            failure = fault
            sent = Frame(code: code, reason: "")
            return sent
        case .closing:
            phase = .failed
            failure = fault
            return nil
        case .handshake, .closed, .failed, .abandoned, .over: return nil
        }
    }

    /// Gives the WebSocket up, and returns the frame to send; `nil` if one was sent or none can be.
    mutating func abandon(_ frame: Frame) -> Frame? {
        switch phase {
        case .handshake, .closing, .failed:
            phase = .abandoned
            return nil
        case .open:
            phase = .abandoned
            sent = frame
            return frame
        // The server has yet to read the answer to its close frame, and to end the connection.
        case .closed, .abandoned, .over: return nil
        }
    }

    /// Whether the connection is to be cut off once everything is sent.
    var endsAfterSending: Bool { phase == .failed || phase == .abandoned }

    /// Whether nothing follows what is to be sent, and the server ends the connection.
    var isSentWhole: Bool { phase == .closed }

    /// Whether the server has answered the close frame of this side.
    var isAnswered: Bool { phase == .closed && closure?.initiator == .client }

    /// Records the end of the connection, and returns the closure; `nil` if it had ended before.
    mutating func end() -> WebSocketClosure? {
        guard phase != .over else { return nil }
        phase = .over
        let end =
            closure ?? closureOfOwn(isClean: false)
            ?? WebSocketClosure(code: .abnormalClosure, initiator: .server, isClean: false)
        closure = end
        return end
    }

    private func closureOfOwn(isClean: Bool) -> WebSocketClosure? {
        sent.map {
            WebSocketClosure(
                code: $0.code ?? .noStatusReceived,
                reason: $0.reason,
                initiator: .client,
                isClean: isClean
            )
        }
    }
}
