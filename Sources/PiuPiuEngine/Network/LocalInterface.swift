#if os(Linux)
import Glibc

/// The addresses of this machine's network interfaces.
enum LocalInterface {
    /// Returns an address of an interface from which a connection can be opened.
    ///
    /// - Parameters:
    ///   - name: The interface's name.
    ///   - address: The address to connect to.
    /// - Returns: An address of the same version of IP, with port 0; for IPv6 one of the same scope if there is one.
    /// - Throws: ``OpenFailure`` if there is no such interface, or it has no such address.
    static func address(of name: String, for address: SocketAddress) throws(OpenFailure) -> SocketAddress {
        let what = "bind to the interface \(name)"
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { throw OpenFailure(code: errno, what: what) }
        defer { freeifaddrs(list) }
        var isKnown = false
        var best: SocketAddress?
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let label = entry.ifa_name, name == String(cString: label) else { continue }
            isKnown = true
            guard let own = entry.ifa_addr.flatMap(read), own.family == address.family else { continue }
            if Scope(own) == Scope(address) { return own }
            // A link-local address reaches only its own link.
            if best == nil, Scope(own) != .link, Scope(address) != .link { best = own }
        }
        guard let best else {
            throw OpenFailure(.cannotConnect, code: isKnown ? EADDRNOTAVAIL : ENODEV, what: what)
        }
        return best
    }

    private static func read(_ address: UnsafeMutablePointer<sockaddr>) -> SocketAddress? {
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        return SocketAddress(address, length: socklen_t(size))?.withPort(0)
    }

    /// The scope of an IPv6 address (RFC 4291 §2.5, RFC 4193); all IPv4 addresses have the same scope.
    private enum Scope {
        case link, unique, loopback, global

        init(_ address: SocketAddress) {
            guard case .v6(let high, let low, _, _) = address.storage else {
                self = .global
                return
            }
            if high >> 54 == 0xFE80 >> 6 {
                self = .link
            } else if high >> 57 == 0xFC00 >> 9 {
                self = .unique
            } else {
                self = high == 0 && low == 1 ? .loopback : .global
            }
        }
    }
}
#endif
