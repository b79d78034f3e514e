import Foundation

#if canImport(Glibc)
import Glibc
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
import Musl
private let streamSocket = SOCK_STREAM
#elseif canImport(Darwin)
import Darwin
private let streamSocket = SOCK_STREAM
#endif

/// A loopback port that is bound but not listening, so that connections to it are refused.
///
/// The kernel chooses the port. Releasing the object frees it.
public final class RefusingPort: Sendable {
    /// The port number.
    public let port: Int

    /// A URL with this port.
    public var url: URL {
        URL(string: "http://127.0.0.1:\(port)/") ?? URL(filePath: "/")
    }

    private let descriptor: Int32

    /// Binds a port.
    ///
    /// - Throws: `POSIXError` if no port or no descriptor is available.
    public init() throws {
        let opened = socket(AF_INET, streamSocket, 0)
        descriptor = opened
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (bound, named) = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                (bind(opened, $0, length), getsockname(opened, $0, &length))
            }
        }
        guard opened >= 0, bound == 0, named == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }
}
