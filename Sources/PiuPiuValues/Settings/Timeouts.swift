/// The time limits for the phases of a request; `nil` means no limit.
///
/// Each limit is accurate to within a few milliseconds. A request that exceeds one fails with
/// ``TransportError/Code/timeout(_:)``, which names the phase.
public struct Timeouts: Sendable, Hashable {
    /// The time to wait for a free connection, before anything is sent.
    ///
    /// 60 seconds by default.
    public var queue: Duration?
    /// The time for name lookup and the TCP and TLS handshakes, starting when the request leaves the queue.
    ///
    /// 10 seconds by default. Without this limit, ``idle`` ends a handshake in which the server sends nothing.
    public var connect: Duration?
    /// The time from the last byte of the request to the end of the response's head.
    ///
    /// No limit by default.
    public var head: Duration?
    /// The time without a byte in either direction once the connection is established.
    ///
    /// Bytes of heads and bodies count; HTTP/2 frames without content, such as pings, don't. If ``connect`` sets no limit, this
    /// one also applies to the handshakes with a server or a proxy. If the server stops reading an upload, the limit takes
    /// effect up to a sixteenth of its time later, at most a second. 60 seconds by default.
    public var idle: Duration?
    /// The time without a byte from the producer of the request's body, after the whole response has arrived.
    ///
    /// After this time, the caller gets the response, and the transport closes the connection: this limit does not cause an
    /// error. A server may respond before it has read the whole request (RFC 9110 §7.5). 1 second by default. Linux only.
    public var afterResponse: Duration?
    /// The time for the whole call: waiting, every redirect and every attempt.
    ///
    /// No limit by default.
    public var total: Duration?

    /// Creates timeouts.
    ///
    /// - Parameters:
    ///   - queue: The time to wait for a free connection.
    ///   - connect: The time for name lookup and the TCP and TLS handshakes.
    ///   - head: The time from the end of the request to the end of the response's head.
    ///   - idle: The time without a byte moving in either direction.
    ///   - total: The time for the whole call.
    ///   - afterResponse: The time without a byte of the request's body after the whole response has arrived.
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

extension Timeouts {
    /// Returns a copy with changes.
    ///
    /// ```swift
    /// let patient = Timeouts().with { $0.idle = .seconds(300) }
    /// ```
    ///
    /// Unlike a variable, the result can be used in an `async let`.
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The changed copy.
    /// - Throws: The error that `change` throws.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
