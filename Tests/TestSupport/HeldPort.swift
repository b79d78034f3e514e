import PiuPiuTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A loopback port for a program that has to be told which one to listen on.
///
/// The system chooses the port, and it stays bound here, without listening, until this is released. No other server of the
/// tests gets it, and no outgoing connection, while the program starts. The program can bind it nevertheless, because both
/// sockets allow addresses to be reused, as servers do.
public final class HeldPort: Sendable {
    /// The port number.
    public let port: Int
    private let socket: Int32

    /// Binds a port of 127.0.0.1.
    ///
    /// - Throws: ``AddressListener/Refusal`` if the system refuses a socket.
    public init() throws {
        (socket, port) = try AddressListener.bound(to: "127.0.0.1", 0, backlog: nil, allowsReuse: true)
    }

    deinit { Sockets.end(socket) }

    /// Waits until a program listens on the port, which does not tell when it does.
    ///
    /// - Parameter name: The program's name.
    /// - Throws: ``Command/Failure`` after five minutes.
    func waitForListener(_ name: String) throws {
        for _ in 0..<60_000 {
            if Sockets.canConnect(to: port) { return }
            usleep(5000)
        }
        throw Command.Failure(description: "\(name) does not listen")
    }
}
