#if os(Linux)
import Glibc

/// The versions of IP that addresses may have.
package enum AddressFamily: Sendable, Hashable {
    /// IPv4 and IPv6.
    case any
    /// IPv4 only.
    case v4
    /// IPv6 only.
    case v6

    /// Returns whether an address may be used; Unix sockets have no version and always may.
    package func includes(_ address: SocketAddress) -> Bool {
        switch self {
        case .any: true
        case .v4: !address.isIPv6
        case .v6: !address.isIPv4
        }
    }

    /// The number for a lookup, such as `AF_INET`.
    var number: Int32 {
        switch self {
        case .any: AF_UNSPEC
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }
}
#endif
