#if os(Linux)
import CShims

/// The system's counters for the bytes of a TCP connection.
package struct SocketTraffic: Sendable, Hashable {
    /// The time since bytes last arrived, in nanoseconds.
    package var sinceReceived: Int64
    /// The time since the peer last acknowledged anything, in nanoseconds; while bytes wait to be sent, the acknowledgement may
    /// be of earlier bytes.
    package var sinceAcknowledged: Int64
    /// The number of bytes that the peer has acknowledged since the connection was opened.
    package var acknowledged: UInt64
    /// Whether the system has bytes that the peer has not acknowledged.
    package var hasUnsentBytes: Bool

    /// Asks the system; `nil` if it has no counters, as for Unix sockets and with Linux before 4.6.
    package init?(of descriptor: Int32) {
        var traffic = CSTraffic()
        guard cs_socket_traffic(descriptor, &traffic) else { return nil }
        sinceReceived = Int64(traffic.milliseconds_since_received) * 1_000_000
        sinceAcknowledged = Int64(traffic.milliseconds_since_acknowledged) * 1_000_000
        acknowledged = traffic.acknowledged
        hasUnsentBytes = traffic.has_unsent_bytes
    }
}
#endif
