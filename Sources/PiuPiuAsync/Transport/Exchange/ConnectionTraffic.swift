/// What the system says about the bytes of a connection.
struct ConnectionTraffic: Equatable {
    /// When bytes last arrived, in nanoseconds of the loop's clock.
    var lastReceivedAt: Int64
    /// When the other side last acknowledged anything; while bytes wait to be sent, that may be nothing new.
    var lastAcknowledgedAt: Int64
    /// How many bytes the other side has acknowledged, since the connection was opened.
    var acknowledged: UInt64
    /// Whether bytes were given to the system that the other side has not acknowledged.
    var hasUnsentBytes: Bool
}
