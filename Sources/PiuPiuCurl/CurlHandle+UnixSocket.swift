#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

/// Distinguishes the connections to a Unix socket, which all have the same addresses.
extension CurlHandle {
    /// Returns the key of the handle's connection to a Unix socket: libcurl's own number for it.
    ///
    /// The number is unique in an engine, and a key of an IP connection never has a negative port. A connection without a
    /// number gets a unique key, so that it is not reused.
    func unixConnectionKey() -> ConnectionTable.Key {
        var number: Int64 = -1
        guard library.numbersConnections,
            pp_easy_get_offset(easy, PP_CURLINFO_CONN_ID, &number) == 0
        else { return key(of: tracedConnection) }
        return key(of: number < 0 ? nil : number)
    }

    private func key(of number: Int64?) -> ConnectionTable.Key {
        let number = number ?? .random(in: .min ... -1)
        return ConnectionTable.Key(addresses: Int(number), localPort: Int32(owner.place), remotePort: -1)
    }

    /// Whether the connection's number is known only from libcurl's log.
    var needsConnectionLog: Bool { usesUnixSocket && !library.numbersConnections }

    /// Makes libcurl's log report the numbers of connections.
    func setConnectionLogCallback(_ context: UnsafeMutableRawPointer) {
        let name = "the numbers of connections"
        require(set(PP_CURLOPT_VERBOSE, 1), name)
        require(set(PP_CURLOPT_DEBUGDATA, context), name)
        let code = pp_easy_set_debug_callback(easy) { _, kind, bytes, count, context in
            guard kind == Int32(PP_CURLINFO_TEXT), let (handle, _) = CurlHandle.current(context) else { return 0 }
            handle.noteConnection(UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
        require(code == 0, name)
    }

    /// Records the number of a connection from a line of libcurl's log.
    func noteConnection(_ line: UnsafeRawBufferPointer) {
        if let number = ConnectionLog.number(in: line) { tracedConnection = number }
    }

    /// Whether a socket that libcurl considers connected really is.
    ///
    /// If the server's queue is full, connecting to a Unix socket fails at once with EAGAIN, which libcurl mistakes for a
    /// connection in progress.
    func isConnected(_ socket: Int32) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) } == 0
        }
    }
}

/// The lines of libcurl's log that contain the number of a connection, up to 8.1.
enum ConnectionLog {
    private static let reuse = Array("Re-using existing connection".utf8)
    private static let opened = Array("Connected to ".utf8)

    /// Returns the number of the connection that an exchange gets from a line of the log; `nil` for any other line.
    ///
    ///     Connected to docker (/run/docker.sock) port 80 (#3)
    ///     Re-using existing connection! (#3) with host docker
    ///     Re-using existing connection #3 with host docker
    static func number(in line: UnsafeRawBufferPointer) -> Int64? {
        let digits: Slice<UnsafeRawBufferPointer>
        if line.starts(with: reuse) {
            // Hosts contain no such character.
            guard let mark = line.firstIndex(of: 0x23) else { return nil }
            digits = line[(mark + 1)...]
        } else if line.starts(with: opened) {
            // Paths may contain one.
            guard let mark = line.lastIndex(of: 0x23) else { return nil }
            digits = line[(mark + 1)...]
        } else {
            return nil
        }
        let number = digits.prefix { (0x30...0x39).contains($0) }
        return number.count > 18 ? nil : Int64(String(decoding: number, as: UTF8.self))
    }
}
#endif
