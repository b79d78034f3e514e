/// The timing of one exchange, and the bytes it moved.
///
/// Each time is measured from the moment the exchange left the queue, except ``queued``, which is the time before it. Times
/// are kept in nanoseconds.
public struct ExchangeMetrics: Sendable, Hashable {
    /// The time spent waiting for a free connection.
    public var queued: Duration {
        get { .nanoseconds(nanoseconds.queued) }
        set { nanoseconds.queued = newValue.clampedNanoseconds }
    }
    /// The time until the host's name was resolved; zero on a reused connection.
    public var nameLookup: Duration {
        get { .nanoseconds(nanoseconds.nameLookup) }
        set { nanoseconds.nameLookup = newValue.clampedNanoseconds }
    }
    /// The time until the TCP connection was established; zero on a reused connection.
    public var connect: Duration {
        get { .nanoseconds(nanoseconds.connect) }
        set { nanoseconds.connect = newValue.clampedNanoseconds }
    }
    /// The time until the TLS handshake was complete; zero on a reused connection and without TLS.
    public var secureConnect: Duration {
        get { .nanoseconds(nanoseconds.secureConnect) }
        set { nanoseconds.secureConnect = newValue.clampedNanoseconds }
    }
    /// The time until the first byte of the response arrived.
    public var firstByte: Duration {
        get { .nanoseconds(nanoseconds.firstByte) }
        set { nanoseconds.firstByte = newValue.clampedNanoseconds }
    }
    /// The time until the last byte of the response arrived.
    public var total: Duration {
        get { .nanoseconds(nanoseconds.total) }
        set { nanoseconds.total = newValue.clampedNanoseconds }
    }
    /// Whether the exchange used a connection that was already open.
    public var isReusedConnection: Bool
    /// The bytes of the request so far, head and body, before TLS; 0 if they were not counted.
    ///
    /// The heads of HTTP/2 and HTTP/3 count as if they were sent over HTTP/1.1.
    public var bytesSent = 0
    /// The bytes of the response so far, heads and body, before decompression; 0 if they were not counted.
    ///
    /// The heads of HTTP/2 and HTTP/3 count as if they were received over HTTP/1.1.
    public var bytesReceived = 0

    /// The times.
    ///
    /// A `Duration` has twice the size, and each response has metrics.
    private struct Nanoseconds: Sendable, Hashable {
        var queued: Int64 = 0
        var nameLookup: Int64 = 0
        var connect: Int64 = 0
        var secureConnect: Int64 = 0
        var firstByte: Int64 = 0
        var total: Int64 = 0
    }

    private var nanoseconds = Nanoseconds()

    /// Creates metrics.
    ///
    /// - Parameters:
    ///   - queued: The time before a connection was free; this and all other times count as zero if they are negative.
    ///   - nameLookup: The time until the name was resolved.
    ///   - connect: The time until the connection was established.
    ///   - secureConnect: The time until the TLS handshake was complete.
    ///   - firstByte: The time until the first byte arrived.
    ///   - total: The time until the last byte arrived.
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
        self.isReusedConnection = isReusedConnection
        self.queued = queued
        self.nameLookup = nameLookup
        self.connect = connect
        self.secureConnect = secureConnect
        self.firstByte = firstByte
        self.total = total
    }
}

extension ExchangeMetrics: CustomStringConvertible {
    /// The metrics in one line, such as
    /// `total 120 milliseconds, first byte after 80 milliseconds, new connection, 210 bytes sent, 4096 bytes received`.
    ///
    /// Print it, but do not parse it: the words may change.
    public var description: String {
        var parts = ["total \(ErrorText.text(total))", "first byte after \(ErrorText.text(firstByte))"]
        if queued > .zero { parts.append("queued for \(ErrorText.text(queued))") }
        parts.append(isReusedConnection ? "reused connection" : "new connection")
        if bytesSent > 0 { parts.append("\(ErrorText.bytes(bytesSent)) sent") }
        if bytesReceived > 0 { parts.append("\(ErrorText.bytes(bytesReceived)) received") }
        return parts.joined(separator: ", ")
    }
}
