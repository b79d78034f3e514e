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

    /// Shares the limits out, so that the sums of the shares are the whole.
    ///
    /// - Parameter count: How many shares; there are no more than connections to one host, or a share would have none.
    /// - Returns: The shares, which differ by one connection at most.
    func shares(_ count: Int) -> [ConnectionLimits] {
        let perHost = max(1, perHost)
        let total = max(1, total)
        let count = max(1, min(count, perHost, total))
        return (0..<count).map { index in
            ConnectionLimits(
                perHost: perHost / count + (index < perHost % count ? 1 : 0),
                total: total / count + (index < total % count ? 1 : 0)
            )
        }
    }
}
