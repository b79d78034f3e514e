/// How many connections may be open at once.
///
/// Requests beyond the limits wait in a queue, first come first served, for up to ``Timeouts/queue``. With HTTP/2 a
/// connection carries up to 100 requests at a time.
public struct ConnectionLimits: Sendable, Hashable {
    /// Connections to one origin (scheme, host and port) for ordinary requests; 8 by default.
    ///
    /// Values below 1 count as 1.
    public var perHost: Int
    /// Connections in all; 256 by default.
    ///
    /// A part of them, ``perHost`` but no more than an eighth and at least one, is kept for ordinary requests: streams and
    /// downloads wait rather than take the last connections. Values below 1 count as 1.
    public var total: Int
    /// Connections to one origin for streams and downloads, which have connections of their own; 64 by default.
    ///
    /// A stream can stay open for hours, for example one of server-sent events. Streams therefore never count against
    /// ``perHost``. Values below 1 count as 1. On Apple systems `URLSession` has one limit for all, ``perHost``.
    public var streamsPerHost: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - perHost: Connections to one origin, for ordinary requests.
    ///   - total: Connections in all.
    ///   - streamsPerHost: Connections to one origin, for streams and downloads.
    public init(perHost: Int = 8, total: Int = 256, streamsPerHost: Int = 64) {
        self.perHost = perHost
        self.total = total
        self.streamsPerHost = streamsPerHost
    }

    /// Shares the limits out, so that the sums of the shares are the whole.
    ///
    /// - Parameter count: How many shares; there are no more than connections to one host, or a share would have none.
    /// - Returns: The shares, which differ by one connection at most.
    func shares(_ count: Int) -> [ConnectionLimits] {
        let perHost = max(1, perHost)
        let total = max(1, total)
        let streamsPerHost = max(1, streamsPerHost)
        let count = max(1, min(count, perHost, total))
        return (0..<count).map { index in
            func share(_ limit: Int) -> Int { limit / count + (index < limit % count ? 1 : 0) }
            return ConnectionLimits(
                perHost: share(perHost),
                total: share(total),
                streamsPerHost: max(1, share(streamsPerHost))
            )
        }
    }
}
