extension ExchangeTimeline {
    /// The result of an engine's check of an exchange.
    package enum Finding {
        /// Nothing new. While a connection is being opened, this means that no handshake has started.
        case nothing
        /// The time when bytes last moved in the handshake with a server or a proxy.
        case handshake(movedAt: Int64)
        /// The system's counters for a connection that the exchange does not share.
        case traffic(ConnectionTraffic)
    }

    /// The engine's next step after a check of an exchange.
    package enum Verdict: Equatable {
        /// Check the exchange again at a time.
        case wait(until: Int64)
        /// End the exchange, because a limit is reached.
        case end(TimeoutPhase)
        /// Do nothing, because no limit applies.
        case unlimited
    }

    /// The request content that the system has accepted, as far as an engine can see.
    struct Transit {
        /// Whether the system accepted content in this attempt.
        var hasContent = false
        /// Whether the system may hold bytes that the server has not acknowledged.
        var mayHaveRest = false
        /// The number of acknowledged bytes at the last check; `nil` before the first.
        var acknowledged: UInt64?
        var lookedAt: Int64 = 0
    }
}
