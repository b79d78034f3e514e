#if os(Linux)
import Glibc

/// Conversions from and to the system's representation.
extension SocketAddress {
    private static let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2

    /// Reads an address in the system's representation; `nil` if it is incomplete, of another family, or of a Unix socket
    /// without a name.
    package init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(length))
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            guard bytes.count >= MemoryLayout<sockaddr_in>.size else { return nil }
            let value = bytes.loadUnaligned(as: sockaddr_in.self)
            self.init(.v4(UInt32(bigEndian: value.sin_addr.s_addr), port: UInt16(bigEndian: value.sin_port)))
        case AF_INET6:
            guard bytes.count >= MemoryLayout<sockaddr_in6>.size else { return nil }
            let value = bytes.loadUnaligned(as: sockaddr_in6.self)
            let halves = withUnsafeBytes(of: value.sin6_addr) { bytes in
                (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            self.init(
                .v6(
                    high: UInt64(bigEndian: halves.0),
                    low: UInt64(bigEndian: halves.1),
                    scope: value.sin6_scope_id,
                    port: UInt16(bigEndian: value.sin6_port)
                )
            )
        case AF_UNIX:
            let path = bytes.dropFirst(Self.pathOffset)
            guard let first = path.first else { return nil }
            if first == 0 {
                guard path.count > 1 else { return nil }
                self.init(.abstract(Array(path.dropFirst())))
            } else {
                self.init(.unix(Array(path.prefix { $0 != 0 })))
            }
        default:
            return nil
        }
    }

    /// Calls a closure with the address in the system's representation and its length in bytes, both valid only inside the
    /// closure.
    package func withSockAddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch storage {
        case .v4(let bits, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits.bigEndian
            return Self.withSockAddr(&address, MemoryLayout<sockaddr_in>.size, body)
        case .v6(let high, let low, let scope, let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
                bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            return Self.withSockAddr(&address, MemoryLayout<sockaddr_in6>.size, body)
        case .unix(let path):
            // There is room for the terminating NUL.
            return Self.withUnixAddress(path + [0], body)
        case .abstract(let name):
            return Self.withUnixAddress([0] + name, body)
        }
    }

    private static func withUnixAddress<Result>(
        _ bytes: [UInt8],
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let count = withUnsafeMutableBytes(of: &address.sun_path) { path in
            let fitting = bytes.prefix(path.count)
            path.copyBytes(from: fitting)
            return fitting.count
        }
        return withSockAddr(&address, pathOffset + count, body)
    }

    private static func withSockAddr<Address, Result>(
        _ address: inout Address,
        _ length: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    /// Calls a closure with the bytes of the address in the system's representation, valid only inside the closure.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withSockAddr { body(UnsafeRawBufferPointer(start: $0, count: Int($1))) }
    }

    // MARK: Sockets

    /// Returns the address of a socket's local end; `nil` if it has none.
    package static func local(of descriptor: Int32) -> SocketAddress? {
        ask { getsockname(descriptor, $0, $1) }
    }

    /// Returns the address of a socket's remote end; `nil` if the socket is not connected.
    package static func remote(of descriptor: Int32) -> SocketAddress? {
        ask { getpeername(descriptor, $0, $1) }
    }

    private static func ask(
        _ question: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        let capacity = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var length = capacity
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard question(address, &length) == 0 else { return nil }
                return SocketAddress(address, length: min(length, capacity))
            }
        }
    }
}
#endif
