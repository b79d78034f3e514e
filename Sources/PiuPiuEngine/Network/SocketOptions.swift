#if os(Linux)
import Glibc

/// What the sockets of connections are given before they connect.
///
/// Everything is for TCP. Unix sockets have none of it, and ``SocketOpener`` ignores it for them.
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
        /// The number of probes that may stay unanswered, 1 to 127; `nil` for the system's.
        package var count: Int32?

        /// Creates settings.
        ///
        /// - Parameters:
        ///   - idle: The idle time before the first probe, in seconds.
        ///   - interval: The time between two probes, in seconds.
        ///   - count: The number of probes that may stay unanswered; `nil` for the system's.
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

    /// Creates the options of most sockets.
    package init() {}

    /// Sets what is set by `setsockopt`.
    ///
    /// - Parameter descriptor: A TCP socket.
    /// - Throws: ``OpenFailure`` with the first option that the system refuses.
    func apply(to descriptor: Int32) throws(OpenFailure) {
        let tcp = Int32(IPPROTO_TCP)
        // Small messages would wait for the acknowledgement of those before (RFC 896).
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

    /// Sets an option.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - level: The option's level.
    ///   - option: The option.
    ///   - value: The value.
    ///   - name: What a user calls it.
    /// - Throws: ``OpenFailure`` if the system refuses it.
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
