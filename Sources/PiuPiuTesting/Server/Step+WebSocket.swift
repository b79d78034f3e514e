public import Foundation
import PiuPiuAsync

/// A step of a script on a WebSocket.
enum WebSocketStep: Sendable {
    case open(subprotocol: String?, headers: HeaderList)
    case send([UInt8])
    case await(Int)
    case echo(Int?)
    case close(UInt16?, String)
}

#if WebSockets
// The steps on a WebSocket, after `openWebSocket`. The other steps work as usual: `send` sends bytes as they are, `close` and `reset` end
// the connection without a close frame, and `sleep`, `hold` and `stall` wait.
extension Step {
    /// Answers the handshake of a WebSocket (RFC 6455 §4.2.2).
    ///
    /// ```swift
    /// server.route("/feed", .openWebSocket(), .message("hello"), .awaitMessages(), .closeWebSocket(code: .goingAway))
    /// server.route("/echo", .openWebSocket(), .echoMessages())
    /// ```
    ///
    /// From then on, pings and the client's close frame are answered beside the script, except after ``stall``. The server records the
    /// messages of the client: ``LoopbackServer/webSocketMessages(for:)``. At the end of the script, the connection closes without
    /// a close frame, unless a step has sent one.
    ///
    /// - Parameters:
    ///   - subprotocol: The subprotocol to choose.
    ///   - headers: Further header fields; they replace those of the handshake.
    /// - Returns: The step.
    public static func openWebSocket(subprotocol: String? = nil, headers: HeaderList = [:]) -> Step {
        Step(kind: .webSocket(.open(subprotocol: subprotocol, headers: headers)))
    }

    /// Sends a text as a message.
    ///
    /// - Parameter text: The text.
    /// - Returns: The step.
    public static func message(_ text: String) -> Step {
        Step(kind: .webSocket(.send(ServerFrame.bytes(.text, text.utf8))))
    }

    /// Sends bytes as a message.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: The step.
    public static func message(_ data: Data) -> Step {
        Step(kind: .webSocket(.send(ServerFrame.bytes(.binary, data))))
    }

    /// Sends a ping.
    ///
    /// - Parameter payload: Its payload, of at most 125 bytes.
    /// - Returns: The step.
    public static func ping(_ payload: Data = Data()) -> Step {
        Step(kind: .webSocket(.send(ServerFrame.bytes(.ping, payload.prefix(125)))))
    }

    /// Waits for messages of the client that no step has waited for yet.
    ///
    /// - Parameter count: Their number.
    /// - Returns: The step.
    public static func awaitMessages(_ count: Int = 1) -> Step {
        Step(kind: .webSocket(.await(count)))
    }

    /// Sends messages of the client back.
    ///
    /// - Parameter count: Their number, or `nil` to do so until the client closes the WebSocket.
    /// - Returns: The step.
    public static func echoMessages(_ count: Int? = nil) -> Step {
        Step(kind: .webSocket(.echo(count)))
    }

    /// Sends a close frame, waits for the client's, and closes the connection.
    ///
    /// - Parameters:
    ///   - code: Any code; `nil` for a close frame without one.
    ///   - reason: The reason.
    /// - Returns: The step.
    public static func closeWebSocket(code: WebSocketCloseCode? = .normalClosure, reason: String = "") -> Step {
        Step(kind: .webSocket(.close(code?.rawValue, reason)))
    }
}
#endif
