#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

/// An option of the sockets of TCP that libcurl has no option for.
struct SocketOption: Hashable, Sendable {
    let level: Int32
    let option: Int32
    let value: Int32
    /// What a user calls it, for the error if the system refuses it.
    let name: String

    /// Returns whether sockets for an address get the options: those of TCP do, Unix sockets and those of HTTP/3 do not.
    static func isForSockets(like address: UnsafePointer<PPSocketAddress>) -> Bool {
        // The system keeps flags in the upper bits.
        address.pointee.family != AF_UNIX && address.pointee.socktype & 0xF == Int32(SOCK_STREAM.rawValue)
    }

    /// Sets the option.
    ///
    /// - Parameter socket: The socket.
    /// - Returns: Whether the system accepted it.
    func apply(to socket: Int32) -> Bool {
        var value = value
        return setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
#endif
