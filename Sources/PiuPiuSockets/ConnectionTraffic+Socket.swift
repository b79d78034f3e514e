#if os(Linux)
import PiuPiuEngine

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
