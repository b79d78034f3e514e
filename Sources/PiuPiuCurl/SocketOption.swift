#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

/// An option of TCP sockets that libcurl does not support.
struct SocketOption: Hashable, Sendable {
    let level: Int32
    let option: Int32
    let value: Int32
    /// The user-facing name, for the error if the system refuses the option.
    let name: String

    /// Returns whether sockets for an address get the options: TCP sockets do, Unix sockets and those of HTTP/3 do not.
    static func isForSockets(like address: UnsafePointer<PPSocketAddress>) -> Bool {
        // The system keeps flags in the upper bits.
        address.pointee.family != AF_UNIX && address.pointee.socktype & 0xF == Int32(SOCK_STREAM.rawValue)
    }

    /// Sets the option on a socket, and returns whether the system accepted it.
    func apply(to socket: Int32) -> Bool {
        var value = value
        return setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
#endif
