/// How long each phase of a request may take; `nil` means without limit.
///
/// Each limit holds to within a few milliseconds. A request that runs into one fails with
/// ``TransportError/Code/timeout(_:)``, which names the phase.
public struct Timeouts: Sendable, Hashable {
    /// Waiting for a free connection, before anything is sent.
    ///
    /// 60 seconds by default.
    public var queue: Duration?
    /// Name lookup, TCP and TLS handshake, counted from when the request leaves the queue.
    ///
    /// 10 seconds by default.
    public var connect: Duration?
    /// From the last byte of the request to the end of the response's head.
    ///
    /// Without limit by default.
    public var head: Duration?
    /// Without a byte moving in either direction once the connection stands.
    ///
    /// 60 seconds by default.
    public var idle: Duration?
    /// Without a byte of the request's body from whoever produces it, after the whole response has come.
    ///
    /// Then the response is given to the caller, and the connection closed: this limit makes no error. A server may answer
    /// before it has read the whole request (RFC 9110 §7.5). 1 second by default. On Linux only.
    public var afterResponse: Duration?
    /// The whole call: waiting, every redirect and every attempt.
    ///
    /// Without limit by default.
    public var total: Duration?

    /// Creates timeouts.
    ///
    /// - Parameters:
    ///   - queue: Waiting for a free connection.
    ///   - connect: Name lookup, TCP and TLS handshake.
    ///   - head: From the end of the request to the end of the response's head.
    ///   - idle: Without a byte moving in either direction.
    ///   - total: The whole call.
    ///   - afterResponse: Without a byte of the request's body after the whole response has come.
    public init(
        queue: Duration? = .seconds(60),
        connect: Duration? = .seconds(10),
        head: Duration? = nil,
        idle: Duration? = .seconds(60),
        total: Duration? = nil,
        afterResponse: Duration? = .seconds(1)
    ) {
        self.queue = queue
        self.connect = connect
        self.head = head
        self.idle = idle
        self.total = total
        self.afterResponse = afterResponse
    }
}
