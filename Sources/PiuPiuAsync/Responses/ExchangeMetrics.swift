/// The timing of one exchange.
///
/// Each value is measured from the moment the exchange left the queue, except ``queued``, which is the time before it.
public struct ExchangeMetrics: Sendable, Hashable {
    /// The time spent waiting for a free connection.
    public var queued: Duration
    /// Until the host's name was resolved; zero on a reused connection.
    public var nameLookup: Duration
    /// Until the TCP connection was established; zero on a reused connection.
    public var connect: Duration
    /// Until the TLS handshake was complete; zero on a reused connection and without TLS.
    public var secureConnect: Duration
    /// Until the first byte of the response arrived.
    public var firstByte: Duration
    /// Until the last byte of the response arrived.
    public var total: Duration
    /// Whether the exchange used a connection that was already open.
    public var isReusedConnection: Bool

    /// Creates metrics.
    ///
    /// - Parameters:
    ///   - queued: The time before a connection was free.
    ///   - nameLookup: Until the name was resolved.
    ///   - connect: Until the connection was established.
    ///   - secureConnect: Until the TLS handshake was complete.
    ///   - firstByte: Until the first byte arrived.
    ///   - total: Until the last byte arrived.
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
