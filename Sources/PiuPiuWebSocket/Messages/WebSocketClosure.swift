/// How a WebSocket was closed.
public struct WebSocketClosure: Sendable, Hashable {
    /// One of the two sides of a connection.
    public enum Side: Sendable, Hashable {
        case client, server
    }

    /// The code of the side that closed it.
    ///
    /// ``WebSocketCloseCode/noStatusReceived`` if the server's close frame has none, and
    /// ``WebSocketCloseCode/abnormalClosure`` if the connection ended without one.
    public let code: WebSocketCloseCode
    /// The reason of the side that closed it; empty if it gave none.
    ///
    /// That of a server is any text that it chose.
    public let reason: String
    /// The side that closed it: the one that sent the first close frame, or ended the connection without one.
    public let initiator: Side
    /// Whether both sides have sent a close frame, so that no message was lost on the way.
    public let isClean: Bool

    /// Creates a value, for tests.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - reason: The reason.
    ///   - initiator: The side that closed the WebSocket.
    ///   - isClean: Whether both sides have sent a close frame.
    public init(code: WebSocketCloseCode, reason: String = "", initiator: Side, isClean: Bool) {
        (self.code, self.reason, self.initiator, self.isClean) = (code, reason, initiator, isClean)
    }

    /// Whether messages end without an error: this side closed it, or the server did with 1000, 1001 or without a code.
    var endsQuietly: Bool {
        guard initiator == .server else { return true }
        return isClean && [.normalClosure, .goingAway, .noStatusReceived].contains(code)
    }
}

extension WebSocketClosure: Redacted {
    /// The code, the side and whether it is clean; not the reason, which is a text of the peer.
    package var shown: KeyValuePairs<String, Any> {
        ["code": code, "initiator": initiator, "isClean": isClean, "reason": "\(reason.utf8.count) bytes"]
    }
}
