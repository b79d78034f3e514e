/// The limits on the number of connections that may be open at once.
///
/// Requests beyond the limits wait in a queue, first come, first served, for up to ``Timeouts/queue``. An HTTP/2
/// connection carries as many concurrent requests as the server allows, at most 1,000, and counts as one.
public struct ConnectionLimits: Sendable, Hashable {
    /// The number of connections to one origin (scheme, host and port) for ordinary requests; 8 by default.
    ///
    /// Values below 1 count as 1.
    public var perHost: Int
    /// The total number of connections; 256 by default.
    ///
    /// Some of them are reserved for ordinary requests: ``perHost``, but at least one and at most an eighth of the
    /// total. Streams and downloads wait instead of taking the last connections. Values below 1 count as 1.
    public var total: Int
    /// The number of connections to one origin for streams and downloads; 64 by default.
    ///
    /// Over HTTP/1.1, streams and downloads have their own connections. A stream, for example of server-sent events, can stay
    /// open for hours, so streams never count against ``perHost``. Values below 1 count as 1. On Apple systems, `URLSession`
    /// has a single limit for all requests, ``perHost``.
    public var streamsPerHost: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - perHost: The number of connections to one origin for ordinary requests.
    ///   - total: The total number of connections.
    ///   - streamsPerHost: The number of connections to one origin for streams and downloads.
    public init(perHost: Int = 8, total: Int = 256, streamsPerHost: Int = 64) {
        self.perHost = perHost
        self.total = total
        self.streamsPerHost = streamsPerHost
    }

    /// Divides the limits into shares that add up to the whole.
    ///
    /// - Parameter count: The number of shares; reduced to the connections to one host if there are fewer, so that no share is
    ///   empty.
    /// - Returns: The shares, which differ by at most one connection.
    package func shares(_ count: Int) -> [ConnectionLimits] {
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
