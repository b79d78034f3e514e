#if os(Linux)
import Glibc

@testable import PiuPiuEngine

/// A listening socket of this machine.
final class Listener: Sendable {
    struct Failure: Error {
        let code: Int32
    }

    let descriptor: Int32
    let address: SocketAddress
    private let neighbour: Int32?

    convenience init(_ literal: String, port: UInt16 = 0, backlog: Int32 = 16) throws {
        guard let address = SocketAddress(literal: literal, port: port) else { throw Failure(code: EINVAL) }
        try self.init(address, backlog: backlog)
    }

    init(_ address: SocketAddress, backlog: Int32 = 16) throws {
        guard let (socket, neighbour) = BoundSocket.listener(on: address, backlog: backlog) else {
            throw Failure(code: errno)
        }
        (descriptor, self.address, self.neighbour) = (socket.descriptor, socket.address, neighbour?.descriptor)
    }

    deinit {
        close(descriptor)
        if let neighbour { close(neighbour) }
    }

    /// Accepts a connection and returns the address of its other end.
    func accept() -> SocketAddress? {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        defer { close(connection) }
        return SocketAddress.remote(of: connection)
    }
}

/// An open socket that is closed in the end.
final class Connection: Sendable {
    let descriptor: Int32

    init(_ opened: SocketOpener.Opened) { descriptor = opened.descriptor }

    deinit { close(descriptor) }

    func option(_ level: Int32, _ name: Int32) -> Int32 {
        var (value, length) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, level, name, &value, &length)
        return value
    }

    /// Waits until it is decided whether the socket is connected.
    func outcome(_ address: SocketAddress) -> SocketOpener.Outcome {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&event, 1, 5000)
        return SocketOpener.outcome(of: descriptor, address)
    }
}
#endif
