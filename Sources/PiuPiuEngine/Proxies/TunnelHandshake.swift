#if os(Linux)
/// The conversation by which a proxy is asked for a tunnel to a server, as a pure value.
///
///     first message ──▶ answers, and further messages ──▶ done: what follows is the server's
///                            └──▶ failed
///
/// The caller carries out each step before the next event. After `done` or `failed`, there are no further events.
package struct TunnelHandshake: Sendable {
    /// What the caller has to do.
    package enum Step: Sendable, Equatable {
        /// Everything was taken, and more is needed.
        case needsMore
        /// Send bytes; what arrives meanwhile waits.
        case write([UInt8])
        /// The tunnel is open.
        case done
        case failed(TunnelFailure)
    }

    // One of them is there.
    private var connect: ConnectHandshake?
    private var socks: SOCKSHandshake?

    /// Creates a conversation with a proxy of HTTP.
    package init(_ connect: ConnectHandshake) { self.connect = connect }

    /// Creates a conversation with a SOCKS proxy.
    package init(_ socks: SOCKSHandshake) { self.socks = socks }

    /// What to send first.
    package var firstMessage: [UInt8] { connect?.request ?? socks?.greeting ?? [] }

    /// Takes the next part of what arrived.
    ///
    /// - Parameter input: The bytes, of which what is taken is removed. What is left after the last step belongs to the tunnel.
    /// - Returns: What to do.
    package mutating func receive(_ input: inout UnsafeRawBufferPointer) -> Step {
        connect?.receive(&input) ?? socks?.receive(&input) ?? .failed(.closed)
    }

    /// What it means that the connection ended.
    package var failureOfEnd: TunnelFailure { connect == nil ? .socks(.closed) : .closed }
}

/// Why a proxy opened no tunnel.
package enum TunnelFailure: Error, Sendable, Equatable {
    /// A proxy of HTTP answered with a status code that is not one of success.
    case refused(statusCode: Int, head: [UInt8])
    /// The answer is not one of HTTP/1.1, or too large.
    case malformed(ResponseParser.Failure)
    /// The connection ended before the whole answer was there.
    case closed
    /// A SOCKS proxy refused, or cannot be used.
    case socks(SOCKSRefusal)
}
#endif
