/// Probes that the system sends on an idle TCP connection, to find out whether the peer is still there.
///
/// They also keep the state of firewalls and address translators alive.
public struct TCPKeepAlive: Sendable, Hashable {
    /// How long a connection is idle before the first probe, in whole seconds from 1; 60 s by default.
    public var idle: Duration
    /// The time between two probes, in whole seconds from 1; 60 s by default.
    public var interval: Duration
    /// How many probes may stay unanswered, from 1; `nil` for the system's number.
    public var count: Int?

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - idle: How long a connection is idle before the first probe.
    ///   - interval: The time between two probes.
    ///   - count: How many probes may stay unanswered.
    public init(idle: Duration = .seconds(60), interval: Duration = .seconds(60), count: Int? = nil) {
        self.idle = idle
        self.interval = interval
        self.count = count
    }
}
