/// A request for a connection of one's own: the server answers, and from then on bytes go both ways (RFC 9110 §7.8).
///
/// Over HTTP/1.1, the request asks to upgrade the connection, and the server answers with 101. Over HTTP/2, it is an extended
/// `CONNECT` (RFC 8441), and the stream becomes the tunnel after a successful answer. Any other answer is an ordinary response.
///
///     asked ── the server agrees ──▶ open ── ended, once
///       └───── another response, or a failure ──▶ over: the end never learns more
///
/// No other request gets the connection, or the stream, after the server agreed.
package final class Tunnel: Sendable {
    /// When a tunnel uses HTTP/2.
    package enum HTTP2: Sendable, Hashable {
        /// If an open connection to the server allows it.
        case ifOpen
        /// If the server allows it, also over a connection that has to be opened.
        case preferred
        case never
    }

    /// The name of the protocol: the value of `Upgrade`, and of `:protocol`.
    package let protocolName: String
    package let http2: HTTP2
    /// The code that uses the tunnel.
    package let end: any TunnelEnd

    package init(protocolName: String, http2: HTTP2, end: any TunnelEnd) {
        self.protocolName = protocolName
        self.http2 = http2
        self.end = end
    }

    /// What to do when the dispatcher begins to shut down.
    package var departure: @Sendable () -> Void { { [end] in end.leave() } }
}

/// The code that uses a tunnel.
///
/// The transport makes all calls, one at a time: before the tunnel is open on any thread, then on the thread of its loop. None may
/// block, throw, or call code of users.
package protocol TunnelEnd: AnyObject, Sendable {
    /// Takes the call of the tunnel, as observers see it, before anything is sent; `nil` if there are no observers.
    func observe(_ call: ObservedCall?)

    /// Returns the header fields that each attempt over HTTP/1.1 needs in addition, without those of the upgrade itself.
    func beginAttempt() -> FieldList

    /// Decides about the response of a server that agreed.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - isHTTP2: Whether the tunnel is a stream of HTTP/2.
    ///   - line: The way back to the transport.
    /// - Returns: Why the response is not acceptable, for an error; `nil` to open the tunnel.
    func opened(_ head: RawHead, isHTTP2: Bool, line: TunnelLine) -> String?

    /// Takes bytes that arrived, all or none.
    func received(_ bytes: UnsafeRawBufferPointer) -> TunnelReceipt

    /// Copies the next bytes to send.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TunnelOutput

    /// Begins to end the tunnel, because the dispatcher shuts down; on any thread, also before the tunnel is open.
    func leave()

    /// Takes the end of an open tunnel, which comes once and last.
    ///
    /// - Parameter failure: Why it ended; `nil` if the server closed it.
    func ended(_ failure: (any Error)?)
}

/// What the end of a tunnel does with bytes that arrived.
package enum TunnelReceipt: Sendable {
    /// It took them.
    case taken
    /// It took them, and has bytes to send.
    case answered
    /// It did not take them. It calls ``TunnelLine/resume`` when it can, and gets them again.
    case full
}

/// The next bytes that the end of a tunnel sends.
package enum TunnelOutput: Sendable, Equatable {
    case bytes(Int)
    /// There are none; ``TunnelLine/wake`` announces more.
    case none
    /// There are no more; the server may still send some.
    case end
    /// There are no more, and nothing that arrives is wanted.
    case over
}

/// The way from the end of a tunnel to its transport; its functions may be called from any thread, and do nothing after the end.
package struct TunnelLine: Sendable {
    /// Announces bytes to send.
    package let wake: @Sendable () -> Void
    /// Announces that bytes are wanted again.
    package let resume: @Sendable () -> Void
    /// Ends the tunnel at once.
    package let cancel: @Sendable () -> Void

    package init(
        wake: @escaping @Sendable () -> Void,
        resume: @escaping @Sendable () -> Void,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.wake = wake
        self.resume = resume
        self.cancel = cancel
    }
}

/// A transport that can open tunnels.
package protocol TunnellingTransport: HTTPTransport {}
