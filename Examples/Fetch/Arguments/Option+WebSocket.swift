extension Option {
    /// How a WebSocket is opened, and kept open.
    static let webSocketOptions: [Option] = [
        .value(
            .webSocket,
            nil,
            "ping",
            "SECONDS",
            "Send pings at this interval, and give up if one has no answer by the next."
        ) {
            $0.pingInterval = try ArgumentValue.duration($1, of: "--ping")
        },
        .value(.webSocket, nil, "subprotocol", "NAME", "Offer a subprotocol. May be repeated.") {
            $0.subprotocols.append($1)
        },
    ]
}
