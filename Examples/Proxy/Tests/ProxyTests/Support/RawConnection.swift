import Foundation
import Testing

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

/// A connection on which a test writes every byte itself.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    init(to port: Int) throws {
        descriptor = socket(AF_INET, streamSocket, 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends text, which fits into the system's buffer.
    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        try #require(Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    /// Ends the sending direction, as the end of a process does first.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads until what has arrived ends with a text, or the connection is closed.
    ///
    /// - Parameter end: The text.
    /// - Returns: What has arrived.
    func read(until end: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [descriptor] in
                var text = ""
                var byte: UInt8 = 0
                while !text.hasSuffix(end), recv(descriptor, &byte, 1, 0) == 1 {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                }
                continuation.resume(returning: text)
            }
        }
    }
}
