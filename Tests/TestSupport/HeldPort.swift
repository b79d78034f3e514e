import PiuPiuTesting

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
}
