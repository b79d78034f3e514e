import PiuPiuAsync
import PiuPiuTesting

#if canImport(Glibc)
import Glibc
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
import Musl
private let streamSocket = SOCK_STREAM
#elseif canImport(Darwin)
import Darwin
private let streamSocket = SOCK_STREAM
#endif

/// A server that takes one request in chunks, answers it, and keeps every byte: `LoopbackServer` keeps no trailers.
final class RawListener: Sendable {
    let port: Int
    private let descriptor: Int32
    private let bytes = Locked<[UInt8]>([])

    /// What arrived, as text.
    var received: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    /// Listens on a port of the system's choice.
    init() throws {
        let listener = socket(AF_INET, streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard listener >= 0, isOpen, listen(listener, 1) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        descriptor = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in serve() }
    }

    /// Reads to the end of the trailer section, and answers.
    private func serve() {
        let connection = accept(descriptor, nil, nil)
        close(descriptor)
        guard connection >= 0 else { return }
        defer { close(connection) }
        var block = [UInt8](repeating: 0, count: 4096)
        while !(received.contains("\r\n0\r\n") && received.hasSuffix("\r\n\r\n")) {
            let count = read(connection, &block, block.count)
            guard count > 0 else { return }
            bytes.withLock { $0 += block[..<count] }
        }
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = write(connection, answer, answer.count)
    }
}
