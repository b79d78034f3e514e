#if os(Linux)
import Glibc

/// An option of the sockets that libcurl has no option for.
struct SocketOption: Hashable, Sendable {
    let level: Int32
    let option: Int32
    let value: Int32
    /// What a user calls it, for the error if the system refuses it.
    let name: String

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
