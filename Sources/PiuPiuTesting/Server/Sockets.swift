#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// The server's system calls; only this file uses the C library.
package enum Sockets {
    /// The result of reading from or writing to a socket.
    package enum Outcome: Equatable {
        case bytes(Int)
        case wouldBlock
        case end
        case failed
    }

    /// The result of accepting a connection.
    package enum Acceptance {
        case socket(Int32)
        case none
        case tryLater
    }

    #if os(Linux)
    private static let sendFlags: Int32 = 0x4000  // MSG_NOSIGNAL
    #else
    private static let sendFlags: Int32 = 0
    #endif

    /// Raises the soft limit of open descriptors to the hard limit, as far as the system allows.
    package static func raiseDescriptorLimit() {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        #if canImport(Darwin)
        // Darwin refuses more than OPEN_MAX, even if it reports no limit.
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(OPEN_MAX)))
        #else
        limit.rlim_cur = limit.rlim_max
        #endif
        _ = setrlimit(resource, &limit)
    }

    /// Opens a non-blocking listener on 127.0.0.1 with a port the system chooses.
    package static func listen(backlog: Int32) throws -> (socket: Int32, port: Int) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, kind, 0)
        guard listener >= 0 else { throw LoopbackServerError(operation: "socket", code: errno) }
        func failure(_ operation: String) -> LoopbackServerError {
            let error = LoopbackServerError(operation: operation, code: errno)
            close(listener)
            return error
        }
        makeNonBlocking(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard bound == 0 else { throw failure("bind") }
        #if canImport(Darwin)
        let listening = Darwin.listen(listener, backlog)
        #elseif canImport(Musl)
        let listening = Musl.listen(listener, backlog)
        #else
        let listening = Glibc.listen(listener, backlog)
        #endif
        guard listening == 0 else { throw failure("listen") }
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        guard named == 0 else { throw failure("getsockname") }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Checks whether a port of 127.0.0.1 accepts connections.
    package static func canConnect(to port: Int) -> Bool {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let client = socket(AF_INET, kind, 0)
        guard client >= 0 else { return false }
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Accepts one connection from a listener's queue.
    package static func acceptConnection(from listener: Int32) -> Acceptance {
        while true {
            let accepted = accept(listener, nil, nil)
            if accepted >= 0 {
                makeNonBlocking(accepted)
                setOption(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
                #if canImport(Darwin)
                setOption(accepted, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
                #endif
                return .socket(accepted)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN, EWOULDBLOCK: return .none
            default: return .tryLater
            }
        }
    }

    /// Opens a non-blocking pipe that wakes a thread from `Poller.wait(milliseconds:)`.
    package static func makePipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackServerError(operation: "pipe", code: errno) }
        makeNonBlocking(ends[0])
        makeNonBlocking(ends[1])
        return (ends[0], ends[1])
    }

    /// Writes a byte to a pipe, whose other end must be open.
    static func signal(_ writer: Int32) {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Reads and discards everything in a pipe.
    static func drain(_ reader: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
    }

    /// Reads once into a buffer, starting at its beginning.
    package static func receive(from socket: Int32, into buffer: inout [UInt8]) -> Outcome {
        outcome { recv(socket, &buffer, buffer.count, 0) }
    }

    /// Writes as many bytes as the socket accepts at once, starting at an offset.
    package static func transmit(_ bytes: [UInt8], from offset: Int, to socket: Int32) -> Outcome {
        outcome {
            bytes.withUnsafeBytes { send(socket, $0.baseAddress.map { $0 + offset }, $0.count - offset, sendFlags) }
        }
    }

    /// Ends the sending direction of a socket.
    package static func finishSending(_ socket: Int32) {
        #if canImport(Glibc)
        _ = shutdown(socket, Int32(SHUT_WR))
        #else
        _ = shutdown(socket, SHUT_WR)
        #endif
    }

    /// Ends the receiving direction of a socket, which wakes a thread that waits for the socket.
    package static func finishReceiving(_ socket: Int32) {
        #if canImport(Glibc)
        _ = shutdown(socket, Int32(SHUT_RD))
        #else
        _ = shutdown(socket, SHUT_RD)
        #endif
    }

    /// Closes a descriptor; with `reset`, a socket's peer receives a reset instead of an orderly close.
    package static func end(_ descriptor: Int32, reset: Bool = false) {
        if reset {
            setOption(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        }
        close(descriptor)
    }

    private static func outcome(of call: () -> Int) -> Outcome {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            default: return .failed
            }
        }
    }

    private static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func setOption<Value: BitwiseCopyable>(
        _ socket: Int32,
        _ level: Int32,
        _ name: Int32,
        _ value: Value
    ) {
        var value = value
        _ = setsockopt(socket, level, name, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

/// The descriptors that a thread waits for, in slots.
package struct Poller {
    /// The events of a descriptor, or the events to wait for.
    package struct Readiness: OptionSet {
        package let rawValue: Int16

        package init(rawValue: Int16) {
            self.rawValue = rawValue
        }

        package static let readable = Self(rawValue: Int16(POLLIN))
        package static let writable = Self(rawValue: Int16(POLLOUT))
        package static let failed = Self(rawValue: Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL))
        #if os(Linux)
        /// The peer has finished sending, even if there are unread bytes; Darwin does not report it.
        package static let peerFinished = Self(rawValue: 0x2000)  // POLLRDHUP
        #else
        package static let peerFinished: Self = []
        #endif
    }

    private var entries: [pollfd] = []

    package init() {}

    /// Adds a descriptor in the last slot.
    package mutating func append(_ descriptor: Int32, _ interest: Readiness) {
        entries.append(pollfd(fd: descriptor, events: interest.rawValue, revents: 0))
    }

    /// Removes a slot by moving the last slot into it.
    package mutating func remove(at slot: Int) {
        entries.swapAt(slot, entries.count - 1)
        entries.removeLast()
    }

    /// Changes the events that a slot waits for.
    package mutating func setInterest(_ interest: Readiness, at slot: Int) {
        entries[slot].events = interest.rawValue
    }

    /// Waits for at least one descriptor or until a timeout; a negative timeout waits forever.
    package mutating func wait(milliseconds: Int32) -> [(slot: Int, readiness: Readiness)] {
        entries.withUnsafeMutableBufferPointer { entries in
            var ready: [(slot: Int, readiness: Readiness)] = []
            var remaining = poll(entries.baseAddress, nfds_t(entries.count), milliseconds)
            var slot = 0
            while remaining > 0, slot < entries.count {
                if entries[slot].revents != 0 {
                    ready.append((slot, Readiness(rawValue: entries[slot].revents)))
                    remaining -= 1
                }
                slot += 1
            }
            return ready
        }
    }
}
