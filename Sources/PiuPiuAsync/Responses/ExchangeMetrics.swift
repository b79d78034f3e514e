/// Where the time of one exchange went.
///
/// Each value is measured from the moment the exchange left the queue, except ``queued``, which is the time before it.
public struct ExchangeMetrics: Sendable, Hashable {
    /// The time spent waiting for a free connection.
    public var queued: Duration
    /// Until the host's name was resolved; zero on a reused connection.
    public var nameLookup: Duration
    /// Until the TCP connection stood; zero on a reused connection.
    public var connect: Duration
    /// Until TLS was agreed; zero on a reused connection and without TLS.
    public var secureConnect: Duration
    /// Until the first byte of the response came.
    public var firstByte: Duration
    /// Until the last byte of the response came.
    public var total: Duration
    /// Whether a connection that was open already carried the exchange.
    public var isReusedConnection: Bool

    /// Creates metrics.
    ///
    /// - Parameters:
    ///   - queued: The time before a connection was free.
    ///   - nameLookup: Until the name was resolved.
    ///   - connect: Until the connection stood.
    ///   - secureConnect: Until TLS was agreed.
    ///   - firstByte: Until the first byte came.
    ///   - total: Until the last byte came.
    ///   - isReusedConnection: Whether an open connection was used.
    public init(
        queued: Duration = .zero,
        nameLookup: Duration = .zero,
        connect: Duration = .zero,
        secureConnect: Duration = .zero,
        firstByte: Duration = .zero,
        total: Duration = .zero,
        isReusedConnection: Bool = false
    ) {
        self.queued = queued
        self.nameLookup = nameLookup
        self.connect = connect
        self.secureConnect = secureConnect
        self.firstByte = firstByte
        self.total = total
        self.isReusedConnection = isReusedConnection
    }
}
