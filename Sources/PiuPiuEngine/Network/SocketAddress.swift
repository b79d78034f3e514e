#if os(Linux)
import Glibc

/// The address of a socket: IPv4 or IPv6 with a port, or a Unix socket.
///
/// It stores numbers and not a `sockaddr`, so that equal addresses are equal values.
package struct SocketAddress: Sendable, Hashable {
    enum Storage: Sendable, Hashable {
        /// The address as a number, so that 127.0.0.1 is 0x7F000001.
        case v4(UInt32, port: UInt16)
        /// The halves of the address as numbers, and the number of the interface that its zone names, or 0.
        case v6(high: UInt64, low: UInt64, scope: UInt32, port: UInt16)
        /// The path without its NUL.
        case unix([UInt8])
        /// The name without the NUL before it.
        case abstract([UInt8])
    }

    /// The longest path or name of a Unix socket, in bytes: `sun_path` without a NUL.
    package static let maximumPath = 107

    let storage: Storage

    init(_ storage: Storage) {
        self.storage = storage
    }

    /// Creates the address of a Unix socket in the file system; `nil` unless the path has 1 to 107 bytes without NUL.
    package static func unixSocket(path: String) -> SocketAddress? {
        bytes(of: path).map { SocketAddress(.unix($0)) }
    }

    /// Creates the address of a Unix socket in the abstract namespace; `nil` unless the name, without the NUL before it, has 1
    /// to 107 bytes without NUL.
    package static func abstractSocket(name: String) -> SocketAddress? {
        bytes(of: name).map { SocketAddress(.abstract($0)) }
    }

    private static func bytes(of text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        return (1...maximumPath).contains(bytes.count) && !bytes.contains(0) ? bytes : nil
    }

    // MARK: Parts

    /// Whether this is an IPv4 address.
    package var isIPv4: Bool { if case .v4 = storage { true } else { false } }

    /// Whether this is an IPv6 address.
    package var isIPv6: Bool { if case .v6 = storage { true } else { false } }

    /// Whether connections to the address use TCP; `false` for Unix sockets.
    package var isIP: Bool { isIPv4 || isIPv6 }

    /// The family, such as `AF_INET`.
    package var family: Int32 {
        switch storage {
        case .v4: AF_INET
        case .v6: AF_INET6
        case .unix, .abstract: AF_UNIX
        }
    }

    /// The port; 0 for Unix sockets.
    package var port: UInt16 {
        switch storage {
        case .v4(_, let port), .v6(_, _, _, let port): port
        case .unix, .abstract: 0
        }
    }

    /// Returns the address with another port; a Unix socket's address is unchanged.
    package func withPort(_ port: UInt16) -> SocketAddress {
        switch storage {
        case .v4(let bits, _): SocketAddress(.v4(bits, port: port))
        case .v6(let high, let low, let scope, _): SocketAddress(.v6(high: high, low: low, scope: scope, port: port))
        case .unix, .abstract: self
        }
    }

    /// The address, with IPv4 mapped into IPv6 (RFC 4291 §2.5.5.2); any other address is unchanged.
    var mappedToIPv6: SocketAddress {
        guard case .v4(let bits, let port) = storage else { return self }
        return SocketAddress(.v6(high: 0, low: 0xFFFF << 32 | UInt64(bits), scope: 0, port: port))
    }

    // MARK: Well-known addresses

    /// Returns the address of this machine on the loopback interface.
    static func loopback(isIPv6: Bool, port: UInt16) -> SocketAddress {
        SocketAddress(isIPv6 ? .v6(high: 0, low: 1, scope: 0, port: port) : .v4(0x7F00_0001, port: port))
    }

    /// Returns the wildcard address of this machine, to bind only a port.
    static func unspecified(isIPv6: Bool, port: UInt16) -> SocketAddress {
        SocketAddress(isIPv6 ? .v6(high: 0, low: 0, scope: 0, port: port) : .v4(0, port: port))
    }
}
#endif
