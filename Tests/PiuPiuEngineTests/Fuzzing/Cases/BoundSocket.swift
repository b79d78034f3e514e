#if os(Linux)
import Glibc
import PiuPiuEngine

/// A socket that is bound to an address of this machine; whoever opens it closes it.
struct BoundSocket {
    let descriptor: Int32
    let address: SocketAddress

    /// Binds a socket, which listens if it gets a backlog; `nil`, with the reason in `errno`, if the system refuses it.
    init?(_ address: SocketAddress, backlog: Int32?, flags: Int32 = 0) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { return nil }
        guard address.withSockAddr({ bind(descriptor, $0, $1) }) == 0,
            backlog.map({ listen(descriptor, $0) == 0 }) ?? true, let own = SocketAddress.local(of: descriptor)
        else {
            let code = errno
            close(descriptor)
            errno = code
            return nil
        }
        (self.descriptor, self.address) = (descriptor, own)
    }

    /// Opens a listener, and keeps the port that the system chose on ::1 from servers on 127.0.0.1.
    ///
    /// `localhost` is both addresses, and ::1 comes first: a client of such a server would reach the listener instead.
    static func listener(
        on address: SocketAddress,
        backlog: Int32,
        flags: Int32 = 0
    ) -> (socket: BoundSocket, neighbour: BoundSocket?)? {
        for _ in 0..<100 {
            guard let socket = BoundSocket(address, backlog: backlog, flags: flags) else { return nil }
            guard address.hostText == "::1", address.port == 0 else { return (socket, nil) }
            if let place = SocketAddress(literal: "127.0.0.1", port: socket.address.port),
                let neighbour = BoundSocket(place, backlog: nil)
            {
                return (socket, neighbour)
            }
            close(socket.descriptor)
        }
        return nil
    }
}
#endif
