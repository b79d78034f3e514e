#if os(Linux)
import Glibc

/// Opens sockets and begins to connect them, without waiting.
package enum SocketOpener {
    /// A socket that was opened, which the caller has to close.
    package struct Opened: Sendable, Hashable {
        /// The socket, which does not block and is closed in programs that the process starts.
        package var descriptor: Int32
        /// Whether the socket is connected already; if not, it becomes writable when the outcome is known.
        package var isConnected: Bool
    }

    /// The outcome of a socket's attempt to connect.
    package enum Outcome: Sendable, Hashable {
        /// The socket is connected.
        case connected
        /// The outcome is not known yet.
        case connecting
        /// The attempt failed, and the caller has to close the socket.
        case failed(OpenFailure)
    }

    /// Opens a socket, sets its options, and begins to connect it.
    ///
    /// An option that cannot be set is a failure; no option is ignored silently.
    ///
    /// - Parameters:
    ///   - address: The address to connect to.
    ///   - options: The options, which do not apply to Unix sockets.
    ///   - check: Returns why the address may not be used; `nil` if it may. It is called before a socket is opened.
    /// - Returns: The socket.
    package static func open(
        _ address: SocketAddress,
        _ options: SocketOptions = SocketOptions(),
        check: (SocketAddress) -> String? = { _ in nil }
    ) -> Result<Opened, OpenFailure> {
        if let reason = check(address) {
            return .failure(OpenFailure(.forbidden(reason), what: "connect to \(address)"))
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else {
            return .failure(OpenFailure(code: errno, what: "open a socket for \(address)"))
        }
        do throws(OpenFailure) {
            if address.isIP {
                try options.apply(to: descriptor)
                try bind(descriptor, for: address, options)
            }
            return .success(Opened(descriptor: descriptor, isConnected: try connect(descriptor, address)))
        } catch {
            close(descriptor)
            return .failure(error)
        }
    }

    private static func connect(_ descriptor: Int32, _ address: SocketAddress) throws(OpenFailure) -> Bool {
        let code = address.withSockAddr { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
        switch code {
        case 0: return true
        // An interrupted call continues by itself.
        case EINPROGRESS, EINTR: return false
        // For Unix sockets, EAGAIN means that the server's queue is full, and the attempt does not continue.
        default: throw OpenFailure(code: code, what: "connect to \(address)")
        }
    }

    /// Returns the outcome of a socket that is connecting, once it is writable or the system reports an error for it.
    package static func outcome(of descriptor: Int32, _ address: SocketAddress) -> Outcome {
        var code = Int32(0)
        var length = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) != 0 { code = errno }
        guard code == 0 else { return .failed(OpenFailure(code: code, what: "connect to \(address)")) }
        // Without a peer there is no connection, whatever event woke the caller.
        var peer = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let refusal = withUnsafeMutablePointer(to: &peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length) == 0 ? 0 : errno
            }
        }
        switch refusal {
        case 0: return .connected
        case ENOTCONN: return .connecting
        default: return .failed(OpenFailure(code: refusal, what: "connect to \(address)"))
        }
    }
}
#endif
