#if os(Linux)
import CShims
import Glibc
import PiuPiuEngine

/// A proxy over TLS: it passes on what it decrypts to a server, and encrypts what the server answers.
struct TLSTunnel {
    let outer: TestServer
    let inner: TestServer
    /// How many bytes are passed on in one piece, and so in one record.
    var piece = 1 << 14
    /// What the proxy does once the server has ended, before it closes the connection without close_notify.
    var ending: @Sendable (TestServer.Connection) -> Void = { $0.close() }

    /// Connects a client to the proxy.
    ///
    /// - Parameter script: What the server behind it does.
    /// - Returns: The client's socket.
    /// - Throws: An error without sockets.
    func connect(_ script: @escaping @Sendable (TestServer.Connection) -> Void) throws -> Int32 {
        let (inner, piece, ending) = (inner, piece, ending)
        return try outer.connect { client in
            guard let server = try? inner.connect(script) else { return }
            defer { close(server) }
            Self.relay(client, server, piece)
            ending(client)
        }
    }

    /// Passes bytes on until the server ends, or the client.
    private static func relay(_ client: TestServer.Connection, _ server: Int32, _ piece: Int) {
        var buffer = [UInt8](repeating: 0, count: piece)
        while true {
            var ends = [
                pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            let isPending = cs_SSL_has_pending(client.ssl) == 1
            guard poll(&ends, 2, isPending ? 0 : 300_000) >= 0 else { return }
            if isPending || ends[0].revents != 0 {
                let count = cs_SSL_read(client.ssl, &buffer, Int32(piece))
                guard count > 0, send(Array(buffer[..<Int(count)]), to: server) else { return }
            }
            if ends[1].revents != 0 {
                let count = recv(server, &buffer, piece, 0)
                guard count > 0 else { return }
                client.write(Array(buffer[..<count]))
            }
        }
    }

    private static func send(_ bytes: [UInt8], to server: Int32) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.send(server, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                start += count
            } else {
                var end = pollfd(fd: server, events: Int16(POLLOUT), revents: 0)
                guard errno == EAGAIN, poll(&end, 1, 300_000) > 0 else { return false }
            }
        }
        return true
    }
}
#endif
