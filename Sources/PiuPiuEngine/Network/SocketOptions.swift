#if os(Linux)
import Glibc

/// The options of a connection's socket, set before it connects.
///
/// All of them are for TCP. ``SocketOpener`` ignores them for Unix sockets.
package struct SocketOptions: Sendable, Hashable {
    /// The local end of connections.
    package enum LocalEnd: Sendable, Hashable {
        /// An address of this machine; its port does not matter.
        case address(SocketAddress)
        /// A network interface, by its name.
        case interface(String)
    }

    /// The probes on idle connections.
    package struct KeepAlive: Sendable, Hashable {
        /// The idle time before the first probe, in seconds, 1 to 32767.
        package var idle: Int32
        /// The time between two probes, in seconds, 1 to 32767.
        package var interval: Int32
        /// The number of probes that may stay unanswered, 1 to 127; `nil` for the system's default.
        package var count: Int32?

        /// Creates settings with times in seconds; a `count` of `nil` stands for the system's default.
        package init(idle: Int32, interval: Int32, count: Int32? = nil) {
            self.idle = idle
            self.interval = interval
            self.count = count
        }
    }

    /// The local end; `nil` to let the system choose.
    package var localEnd: LocalEnd?
    /// The local ports to choose from; `nil` for any.
    package var localPorts: ClosedRange<UInt16>?
    /// The probes on idle connections; `nil` for none.
    package var keepAlive: KeepAlive?
    /// How long sent bytes may stay unacknowledged, in milliseconds; `nil` for the system's rule.
    package var userTimeout: Int32?

    /// Creates default options.
    package init() {}

    /// Sets the options of `setsockopt` on a TCP socket; throws an ``OpenFailure`` for the first option that the system
    /// refuses.
    func apply(to descriptor: Int32) throws(OpenFailure) {
        let tcp = Int32(IPPROTO_TCP)
        // Small messages would wait for the acknowledgement of earlier ones (RFC 896).
        try Self.set(descriptor, tcp, TCP_NODELAY, 1, "TCP_NODELAY")
        if let keepAlive {
            try Self.set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1, "TCP probes")
            try Self.set(descriptor, tcp, TCP_KEEPIDLE, keepAlive.idle, "TCP probes")
            try Self.set(descriptor, tcp, TCP_KEEPINTVL, keepAlive.interval, "TCP probes")
            if let count = keepAlive.count {
                try Self.set(descriptor, tcp, TCP_KEEPCNT, count, "the number of TCP probes")
            }
        }
        if let userTimeout {
            try Self.set(descriptor, tcp, TCP_USER_TIMEOUT, userTimeout, "the TCP user timeout")
        }
    }

    /// Sets an option; throws an ``OpenFailure`` with the user-facing `name` if the system refuses it.
    static func set(
        _ descriptor: Int32,
        _ level: Int32,
        _ option: Int32,
        _ value: Int32,
        _ name: String
    ) throws(OpenFailure) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) != 0 else { return }
        let code = errno
        throw OpenFailure(
            OpenFailure.isAboutResources(code) ? .outOfResources : .cannotApply(name),
            code: code,
            what: "The system cannot apply \(name)"
        )
    }
}
#endif
