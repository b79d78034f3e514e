#if os(Linux)
import Foundation
import Glibc
import PiuPiuAsync
import PiuPiuTesting

/// A Unix domain socket in front of a plain port, so that a scripted server is reached through it.
///
/// Each connection leads to one connection to the port, and ends as that does.
package final class UnixRelay: Sendable {
    /// Where the socket is.
    package enum Place: Sendable {
        /// In the file system.
        case path(String)
        /// In the abstract namespace.
        case name(String)
    }

    /// The path or the name.
    package let place: Place
    private let listener: Int32
    private let forwarded = Observed(0)
    private let isAccepting = Observed(false)

    /// A path for a socket that no other test uses.
    package static func freshPath() -> String { "/tmp/piupiu-\(UUID().uuidString.prefix(13)).sock" }

    /// Starts a relay.
    ///
    /// - Parameters:
    ///   - port: The plain port on 127.0.0.1; `nil` to accept nothing.
    ///   - isAbstract: Whether the socket has no file.
    ///   - backlog: How many connections may wait to be accepted.
    /// - Throws: An error if the system refuses a socket.
    package init(to port: Int?, isAbstract: Bool = false, backlog: Int32 = 4096) throws {
        let path = Self.freshPath()
        place = isAbstract ? .name(path) : .path(path)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var (address, length) = Self.address(place)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard bound == 0, listen(listener, backlog) == 0 else {
            throw Command.Failure(description: "no Unix socket: \(String(cString: strerror(errno)))")
        }
        guard let port else { return }
        isAccepting.update { $0 = true }
        Self.thread { [listener, forwarded, isAccepting] in
            defer { isAccepting.update { $0 = false } }
            while case let client = accept(listener, nil, nil), client >= 0 {
                let server = Self.connect(to: port)
                let isHalfClosed = Locked(false)
                for (source, destination, isAnswer) in [(client, server, false), (server, client, true)] {
                    Self.thread {
                        Self.copy(from: source, to: destination) { count in
                            if isAnswer { forwarded.update { $0 += count } }
                        }
                        shutdown(destination, Int32(SHUT_WR))
                        let isLast = isHalfClosed.withLock { isHalfClosed in
                            defer { isHalfClosed = true }
                            return isHalfClosed
                        }
                        guard isLast else { return }
                        close(source)
                        close(destination)
                    }
                }
            }
        }
    }

    deinit {
        if case .path(let path) = place { unlink(path) }
        shutdown(listener, Int32(SHUT_RDWR))
        // The thread must not accept from another listener that gets the number of this descriptor.
        _ = isAccepting.block(for: .seconds(30)) { !$0 }
        close(listener)
    }

    /// The route to the socket.
    package var route: Route {
        switch place {
        case .path(let path): .unixSocket(path: path)
        case .name(let name): .abstractSocket(name: name)
        }
    }

    /// Waits until the client's sockets have a number of bytes, over all connections.
    ///
    /// - Parameter count: How many.
    package func waitForBytes(_ count: Int) async { _ = await forwarded.wait { $0 >= count } }

    /// Connects without waiting.
    ///
    /// - Returns: The socket; `nil` if the queue is full.
    package func tryConnecting() -> Int32? {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var (address, length) = Self.address(place)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(client, $0, length) }
        }
        guard result != 0 else { return client }
        close(client)
        return nil
    }

    private static func address(_ place: Place) -> (sockaddr_un, socklen_t) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes: [UInt8]
        switch place {
        case .path(let path): bytes = Array(path.utf8) + [0]
        case .name(let name): bytes = [0] + Array(name.utf8)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes.prefix($0.count)) }
        return (address, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
    }

    private static func connect(to port: Int) -> Int32 {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return server
    }

    private static func copy(from source: Int32, to destination: Int32, _ report: (Int) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            var offset = 0
            while offset < count {
                let sent = buffer.withUnsafeBytes {
                    send(
                        destination,
                        $0.baseAddress.map { $0 + offset },
                        count - offset,
                        Int32(truncatingIfNeeded: MSG_NOSIGNAL)
                    )
                }
                guard sent > 0 else { return }
                offset += sent
            }
            report(count)
        }
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 256 << 10
        thread.start()
    }
}
#endif
