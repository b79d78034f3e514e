/// How many connections may be open at once.
///
/// Requests beyond the limits wait in a queue, first come first served, for up to ``Timeouts/queue``. With HTTP/2 a
/// connection carries up to 100 requests at a time.
public struct ConnectionLimits: Sendable, Hashable {
    /// Connections to one origin (scheme, host and port); 8 by default.
    ///
    /// Values below 1 count as 1.
    public var perHost: Int
    /// Connections in all; 256 by default.
    ///
    /// Values below 1 count as 1.
    public var total: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - perHost: Connections to one origin.
    ///   - total: Connections in all.
    public init(perHost: Int = 8, total: Int = 256) {
        self.perHost = perHost
        self.total = total
    }
}
