import Foundation
import PiuPiuTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A listener on an address of this machine other than 127.0.0.1, such as 127.0.0.2 or ::1.
///
/// It accepts nothing by itself: what connects waits in the system's queue and is counted there. With an answer, a thread
/// of its own sends it to each connection, after the head of one request.
public final class AddressListener: Sendable {
    /// What the system refused.
    public struct Refusal: Error {
        /// The name of the system call.
        public let operation: String
        /// The error number.
        public let code: Int32
    }

    /// The port.
    public let port: Int
    /// The address as it stands in a URL.
    public let host: String
    private let listener: Int32
    /// Keeps the port on 127.0.0.1 from servers of other tests: `localhost` is both addresses, and would lead here.
    private let neighbour: Int32?
    private let answered = Observed((count: 0, isStopped: false))
    private let isAnswering: Bool

    /// Opens a listener.
    ///
    /// - Parameters:
    ///   - address: The address, as four decimal numbers or in IPv6's notation.
    ///   - port: The port; 0 for one that the system chooses.
    ///   - answer: What to send to each connection; `nil` to leave connections alone.
    ///   - backlog: How many connections the system accepts on behalf of the listener. With 0, it is one, and the system
    ///     does not answer further ones.
    /// - Throws: ``Refusal`` if the system refuses a socket or the address.
    public init(_ address: String, port: Int = 0, answer: String? = nil, backlog: Int32 = 128) throws {
        (listener, self.port, neighbour) = try Self.listenAlone(on: address, port, backlog)
        host = address.contains(":") ? "[\(address)]" : address
        isAnswering = answer != nil
        guard let answer else { return }
        let thread = Thread { [listener, answered] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                answered.update { $0.count += 1 }
                var buffer = [UInt8](repeating: 0, count: 1 << 14)
                var received: [UInt8] = []
                while !received.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                    let count = recv(connection, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    received += buffer.prefix(count)
                }
                _ = Sockets.transmit(Array(answer.utf8), from: 0, to: connection)
                Sockets.end(connection)
            }
            answered.update { $0.isStopped = true }
        }
        thread.start()
    }

    deinit {
        // The listener is gone before a server can have its port.
        defer { if let neighbour { Sockets.end(neighbour) } }
        guard isAnswering else { return Sockets.end(listener) }
        Sockets.finishReceiving(listener)
        _ = answered.block(for: .seconds(30)) { $0.isStopped }
        Sockets.end(listener)
    }

    /// Makes a URL of this listener.
    ///
    /// - Parameter path: The path, with its slash.
    /// - Returns: The URL.
    public func url(_ path: String = "/") -> URL {
        URL(string: "http://\(host):\(port)\(path)") ?? URL(filePath: "/")
    }

    /// How many connections were opened so far; one that was counted is closed.
    public func connections() -> Int {
        guard !isAnswering else { return answered.value.count }
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        return answered.update { answered in
            while case .socket(let socket) = Sockets.acceptConnection(from: listener) {
                answered.count += 1
                Sockets.end(socket)
            }
            return answered.count
        }
    }

    /// Opens a listener, and keeps the port that the system chose on ::1 from servers on 127.0.0.1.
    private static func listenAlone(on address: String, _ port: Int, _ backlog: Int32) throws -> (Int32, Int, Int32?) {
        var attempts = 0
        while true {
            let (listener, chosen) = try bound(to: address, port, backlog: backlog)
            guard address == "::1", port == 0 else { return (listener, chosen, nil) }
            do {
                return (listener, chosen, try bound(to: "127.0.0.1", chosen, backlog: nil).0)
            } catch {
                Sockets.end(listener)
                attempts += 1
                if attempts == 100 { throw error }
            }
        }
    }

    /// Opens a socket and binds it.
    ///
    /// Without a backlog, it does not listen. If it allows reuse, a program that does so too can listen on its port.
    static func bound(
        to address: String,
        _ port: Int,
        backlog: Int32?,
        allowsReuse: Bool = false
    ) throws -> (socket: Int32, port: Int) {
        let isIPv6 = address.contains(":")
        #if canImport(Glibc)
        let opened = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
        let opened = socket(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)
        #endif
        func failure(_ operation: String) -> Refusal {
            let error = Refusal(operation: operation, code: errno)
            if opened >= 0 { close(opened) }
            return error
        }
        guard opened >= 0 else { throw failure("socket") }
        var reuse: Int32 = allowsReuse ? 1 : 0
        setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var storage = sockaddr_storage()
        var length = socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        return try withUnsafeMutableBytes(of: &storage) { bytes in
            guard let start = bytes.baseAddress else { throw failure("sockaddr") }
            if isIPv6 {
                var target = sockaddr_in6()
                target.sin6_family = sa_family_t(AF_INET6)
                target.sin6_port = UInt16(port).bigEndian
                guard inet_pton(AF_INET6, address, &target.sin6_addr) == 1 else { throw failure("inet_pton") }
                bytes.storeBytes(of: target, as: sockaddr_in6.self)
            } else {
                var target = sockaddr_in()
                target.sin_family = sa_family_t(AF_INET)
                target.sin_port = UInt16(port).bigEndian
                guard inet_pton(AF_INET, address, &target.sin_addr) == 1 else { throw failure("inet_pton") }
                bytes.storeBytes(of: target, as: sockaddr_in.self)
            }
            let name = start.assumingMemoryBound(to: sockaddr.self)
            guard bind(opened, name, length) == 0 else { throw failure("bind") }
            #if canImport(Glibc)
            guard backlog.map({ Glibc.listen(opened, $0) }) ?? 0 == 0 else { throw failure("listen") }
            #else
            guard backlog.map({ Darwin.listen(opened, $0) }) ?? 0 == 0 else { throw failure("listen") }
            #endif
            guard getsockname(opened, name, &length) == 0 else { throw failure("getsockname") }
            // Both address families store the port at the same offset.
            return (opened, Int(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))))
        }
    }
}
