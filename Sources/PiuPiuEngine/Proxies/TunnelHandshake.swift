#if os(Linux)
/// The conversation that asks a proxy for a tunnel to a server; a pure value.
///
///     first message ──▶ answers, and further messages ──▶ done: the following bytes come from the server
///                            └──▶ failed
///
/// The caller performs each step before the next event. After `done` or `failed`, there are no further events.
package struct TunnelHandshake: Sendable {
    /// A step that the caller performs.
    package enum Step: Sendable, Equatable {
        /// The handshake took everything and needs more.
        case needsMore
        /// Send bytes; bytes that arrive meanwhile wait.
        case write([UInt8])
        /// The tunnel is open.
        case done
        case failed(TunnelFailure)
    }

    // One of these is not `nil`.
    private var connect: ConnectHandshake?
    private var socks: SOCKSHandshake?

    /// Creates a conversation with an HTTP proxy.
    package init(_ connect: ConnectHandshake) { self.connect = connect }

    /// Creates a conversation with a SOCKS proxy.
    package init(_ socks: SOCKSHandshake) { self.socks = socks }

    /// The bytes to send first.
    package var firstMessage: [UInt8] { connect?.request ?? socks?.greeting ?? [] }

    /// Takes the next received bytes, removes those that it used, and returns the next step.
    ///
    /// The bytes that are left after the last step belong to the tunnel.
    package mutating func receive(_ input: inout UnsafeRawBufferPointer) -> Step {
        connect?.receive(&input) ?? socks?.receive(&input) ?? .failed(.closed)
    }

    /// The failure if the connection ends now.
    package var failureOfEnd: TunnelFailure { connect == nil ? .socks(.closed) : .closed }
}

/// Why a proxy opened no tunnel.
package enum TunnelFailure: Error, Sendable, Equatable {
    /// An HTTP proxy answered with a status code other than 2xx.
    case refused(statusCode: Int, head: [UInt8])
    /// The answer is not HTTP/1.1, or is too large.
    case malformed(ResponseParser.Failure)
    /// The connection ended before the whole answer had arrived.
    case closed
    /// A SOCKS proxy refused, or cannot be used.
    case socks(SOCKSRefusal)
}
#endif
