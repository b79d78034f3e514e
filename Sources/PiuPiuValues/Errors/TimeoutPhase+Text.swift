extension TimeoutPhase {
    /// The problem, as the text of an error.
    var text: String {
        switch self {
        case .queue: "No connection became free in time"
        case .connect: "The connection could not be opened in time"
        case .head: "The head of the response did not arrive in time"
        case .idle: "No data was sent or received for too long"
        case .total: "The call took too long"
        case .attempt: "The attempt took too long"
        default: "A phase of the call took too long"
        }
    }

    /// The usual cause and the remedy of a timeout in this phase.
    package var explanation: ErrorExplanation {
        switch self {
        case .queue:
            .init(
                20,
                "All connections to the server were busy for the whole time.",
                "Allow more connections, or send fewer requests at once.",
                setting: "configuration.timeouts.queue, configuration.connections"
            )
        case .connect:
            .init(
                21,
                "The server or the network is down, or a firewall drops the packets.",
                "Check the host and the port, and whether other machines reach it. Nothing was sent, so trying again is "
                    + "safe.",
                setting: "configuration.timeouts.connect"
            )
        case .head:
            .init(
                22,
                "The server took the request and is slow to answer it.",
                "Look at the server's log, or allow more time.",
                setting: "configuration.timeouts.head"
            )
        case .idle:
            .init(
                23,
                "The server or the network stalled: no byte was sent or received during that time.",
                "Look at the server's log, or allow more time, as for a server that works long before it answers.",
                setting: "configuration.timeouts.idle"
            )
        case .total:
            .init(
                24,
                "All attempts, redirects and waits together took longer than the call may take.",
                "Allow more time, or find the slow part in Response.metrics or with an observer.",
                setting: "configuration.timeouts.total"
            )
        default:
            .init(
                25,
                "One attempt took longer than the retry policy allows, and no attempt was left.",
                "Allow more time for an attempt, or more attempts.",
                setting: "RetryPolicy.attemptTimeout"
            )
        }
    }
}
