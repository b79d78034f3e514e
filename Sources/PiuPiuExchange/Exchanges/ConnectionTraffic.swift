/// The system's counters for the bytes of a connection.
package struct ConnectionTraffic: Equatable {
    /// The time when bytes last arrived, in nanoseconds of the loop's clock.
    var lastReceivedAt: Int64
    /// The time of the peer's last acknowledgement; while bytes wait to be sent, it may acknowledge nothing new.
    var lastAcknowledgedAt: Int64
    /// The number of bytes the peer has acknowledged since the connection was opened.
    var acknowledged: UInt64
    /// Whether the system has bytes that the peer has not acknowledged.
    var hasUnsentBytes: Bool

    package init(lastReceivedAt: Int64, lastAcknowledgedAt: Int64, acknowledged: UInt64, hasUnsentBytes: Bool) {
        self.lastReceivedAt = lastReceivedAt
        self.lastAcknowledgedAt = lastAcknowledgedAt
        self.acknowledged = acknowledged
        self.hasUnsentBytes = hasUnsentBytes
    }
}
