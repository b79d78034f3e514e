extension ExchangeTimeline {
    /// What an engine finds when it checks an exchange.
    package enum Finding {
        /// Nothing that it did not record before. While a connection is opened, no handshake has begun.
        case nothing
        /// When bytes last moved in the handshake with a server or a proxy.
        case handshake(movedAt: Int64)
        /// The system's counters of a connection that the exchange does not share.
        case traffic(ConnectionTraffic)
    }

    /// What an engine does with an exchange that it has checked.
    package enum Verdict: Equatable {
        /// Check it again at a time.
        case wait(until: Int64)
        /// End it, because a limit is reached.
        case end(TimeoutPhase)
        /// Leave it alone, as no limit applies.
        case unlimited
    }

    /// The content of a request that the system has taken, as far as an engine can see.
    struct Transit {
        /// Whether the system got content in this attempt.
        var hasContent = false
        /// Whether it may have bytes that the server has not acknowledged.
        var mayHaveRest = false
        /// The bytes that were acknowledged at the last look; `nil` before the first.
        var acknowledged: UInt64?
        var lookedAt: Int64 = 0
    }
}
