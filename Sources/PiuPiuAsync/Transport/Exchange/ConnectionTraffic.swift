#if os(Linux)
import PiuPiuEngine
#endif

/// The system's counters for the bytes of a connection.
package struct ConnectionTraffic: Equatable {
    /// When bytes last arrived, in nanoseconds of the loop's clock.
    var lastReceivedAt: Int64
    /// When the peer last acknowledged anything; while bytes wait to be sent, that may be nothing new.
    var lastAcknowledgedAt: Int64
    /// The number of bytes the peer has acknowledged since the connection was opened.
    var acknowledged: UInt64
    /// Whether the system has bytes that the peer has not acknowledged.
    var hasUnsentBytes: Bool
}

#if os(Linux)
extension ConnectionTraffic {
    /// Creates counters from those of the system.
    ///
    /// - Parameters:
    ///   - traffic: The counters of the socket.
    ///   - now: The current time, in nanoseconds of the loop's clock.
    package init(_ traffic: SocketTraffic, now: Int64) {
        self.init(
            lastReceivedAt: now - traffic.sinceReceived,
            lastAcknowledgedAt: now - traffic.sinceAcknowledged,
            acknowledged: traffic.acknowledged,
            hasUnsentBytes: traffic.hasUnsentBytes
        )
    }
}
#endif
