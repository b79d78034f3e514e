#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A blocking socket without any idea of HTTP, beyond what the tests spell out.
final class RawClient {
    enum Ending: Equatable {
        case closed
        case reset
        case timeout
        case other(Int32)
    }

    struct Failure: Error {
        let operation: String
        let code: Int32
    }

    private let descriptor: Int32
    private var unread: [UInt8] = []

    /// Creates a client that gives up reading and writing after minutes.
    init(port: Int) throws {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Failure(operation: "socket", code: errno) }
        var time = timeval()
        time.tv_sec = 300
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        #if canImport(Darwin)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(operation: "connect", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) throws {
        guard writeSome(bytes) == bytes.count else { throw Failure(operation: "send", code: errno) }
    }

    /// Writes until nothing can be written for a third of a second, and returns how much it was.
    func writeWithoutPatience(_ bytes: [UInt8]) -> Int {
        var time = timeval()
        time.tv_usec = 300_000
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        defer {
            time = timeval()
            time.tv_sec = 300
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        return writeSome(bytes)
    }

    /// Writes until everything is written or the time is over, and returns how much it was.
    func writeSome(_ bytes: [UInt8]) -> Int {
        #if os(Linux)
        let flags: Int32 = 0x4000  // MSG_NOSIGNAL
        #else
        let flags: Int32 = 0
        #endif
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + offset }, $0.count - offset, flags)
            }
            if count <= 0 { break }
            offset += count
        }
        return offset
    }

    func finishWriting() {
        #if canImport(Glibc)
        _ = shutdown(descriptor, Int32(SHUT_WR))
        #else
        _ = shutdown(descriptor, SHUT_WR)
        #endif
    }

    /// Reads until a text has arrived, and returns everything up to its end.
    func read(until end: String) throws -> String {
        let end = Array(end.utf8)
        var taken: [UInt8] = []
        while true {
            if unread.isEmpty {
                let (bytes, _) = readOnce()
                guard !bytes.isEmpty else { throw Failure(operation: "recv", code: errno) }
                unread = bytes
            }
            taken.append(unread.removeFirst())
            if taken.suffix(end.count).elementsEqual(end) { return String(decoding: taken, as: UTF8.self) }
        }
    }

    /// Reads a number of bytes.
    func read(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            let (bytes, _) = readOnce()
            guard !bytes.isEmpty else { throw Failure(operation: "recv", code: errno) }
            unread += bytes
        }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    /// Reads a response with `Content-Length`, and returns its status line and its body.
    func readResponse() throws -> (status: String, head: String, body: String) {
        let head = try read(until: "\r\n\r\n")
        let lines = head.split(separator: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
        let body = try read(length ?? 0)
        return (String(lines.first ?? ""), head, String(decoding: body, as: UTF8.self))
    }

    /// Reads until the connection ends or the time is over.
    func readAll() -> (text: String, ending: Ending) {
        while true {
            let (bytes, ending) = readOnce()
            unread += bytes
            if let ending {
                defer { unread = [] }
                return (String(decoding: unread, as: UTF8.self), ending)
            }
        }
    }

    private func readOnce() -> ([UInt8], Ending?) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return (Array(buffer.prefix(count)), nil) }
        if count == 0 { return ([], .closed) }
        switch errno {
        case ECONNRESET: return ([], .reset)
        case EAGAIN, EWOULDBLOCK: return ([], .timeout)
        default: return ([], .other(errno))
        }
    }
}
