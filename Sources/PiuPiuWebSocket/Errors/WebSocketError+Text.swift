extension WebSocketError.Code {
    package var words: ErrorWords {
        switch storage {
        case .handshakeRejected:
            .init(
                "The server did not open the WebSocket",
                "The path is not that of a WebSocket, or the server wants other credentials; the text has the status code.",
                "Read WebSocketError.body, which often says why. Check the URL and the credentials."
            )
        case .invalidHandshake:
            .init(
                "The server's answer to the handshake is not valid",
                "Something on the way changed the response, or the server does not implement RFC 6455.",
                "Connect without the proxy or gateway, or with TLS, and report the fault to whoever runs the server."
            )
        case .unsupported:
            .init(
                "The transport cannot open WebSockets",
                "The dispatcher has a transport of another kind; the one for Apple systems opens none.",
                "Use the default transport on Linux, and URLSessionWebSocketTask on Apple systems."
            )
        case .closed:
            .init(
                "The WebSocket is closed",
                "The server closed it, or this program did before it sent or read something else.",
                "Read WebSocketError.closure, and open a new WebSocket if the code allows it."
            )
        case .connectionLost:
            .init(
                "The connection ended without a close frame",
                "The server or something on the way was restarted, or the network failed.",
                "Open a new WebSocket. Messages on the way may be lost; ask the server for them if it can tell.",
                setting: "WebSocketReconnection"
            )
        case .protocolViolation:
            .init(
                "The server violated the WebSocket protocol",
                "The server, or something on the way, has a fault; the text names it.",
                "Report the fault to whoever runs the server."
            )
        case .messageTooLarge:
            .init(
                "A message is too large",
                "The server sends larger messages than expected.",
                "Raise the limit if the server is trusted.",
                setting: "WebSocketOptions.maximumMessageSize"
            )
        case .pingTimeout:
            .init(
                "The server did not answer a ping in time",
                "The connection is dead, or the server is too busy.",
                "Open a new WebSocket, or allow more time.",
                setting: "WebSocketOptions.keepAlive"
            )
        case .invalidArgument:
            .init(
                "It must not be sent",
                "A close code, a reason, a subprotocol or a request is not allowed by RFC 6455; the text says which.",
                "Change it in the program."
            )
        case .alreadyReading:
            .init(
                "Another task reads the messages",
                "Two tasks read the messages of one WebSocket at the same time.",
                "Read in one task, and pass the messages on from there."
            )
        }
    }
}
