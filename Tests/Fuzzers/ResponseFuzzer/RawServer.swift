#if os(Linux)
import Glibc
import PiuPiuAsync

/// A server that writes bytes as they are: one thread, and nothing between a plan and the socket.
final class RawServer: @unchecked Sendable {
    // `@unchecked` is sound because the server's thread alone touches what can change after `init`.

    /// A connection with its deadline; a later one of the same connection makes it void.
    private struct Alarm {
        let at: Int64
        let connection: RawConnection
        let stamp: Int
    }

    /// How long a connection stays open whose client may still wait for more, in nanoseconds.
    private static let patience: Int64 = 8_000_000
    /// POLLRDHUP, which the C library declares only on request.
    private static let peerFinished: Int32 = 0x2000
    /// How long a slow response waits between two writes, in nanoseconds.
    private static let pause: Int64 = 1_000_000

    let port: Int
    let registry = Registry()
    /// Whether another process passes on what it writes: it must not reset connections, and bytes arrive later.
    let isBehindRelay: Bool
    private let listener: Int32
    private var connections: [Int32: RawConnection] = [:]
    private var pauses: [Alarm] = []
    private var lingering: [Alarm] = []
    private let count = Locked(0)

    /// How many connections are open.
    var connectionCount: Int { count.withLock { $0 } }

    /// Starts a server on a free port of 127.0.0.1; `nil` if the system has none.
    ///
    /// - Parameter isBehindRelay: Whether another process passes on what it writes.
    init?(isBehindRelay: Bool) {
        self.isBehindRelay = isBehindRelay
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [listener] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1024) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { return nil }
        Self.prepare(listener)
        Thread.detachNewThread { [self] in run() }
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func run() {
        var events: [pollfd] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let next = min(pauses.first?.at ?? .max, lingering.first?.at ?? .max)
            let wait = next == .max ? -1 : Int32(max(0, (next - Self.now + 999_999) / 1_000_000))
            events.removeAll(keepingCapacity: true)
            events.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
            for connection in connections.values {
                let interest = POLLIN | Self.peerFinished | (connection.waitsForRoom ? POLLOUT : 0)
                events.append(pollfd(fd: connection.descriptor, events: Int16(interest), revents: 0))
            }
            poll(&events, nfds_t(events.count), wait)
            for event in events where event.revents != 0 {
                let happened = Int32(event.revents)
                if event.fd == listener {
                    accept()
                } else if let connection = connections[event.fd] {
                    if happened & POLLOUT != 0 { advance(connection) }
                    if happened & ~POLLOUT != 0 { read(connection, &buffer) }
                }
            }
            for connection in due(&pauses) { advance(connection) }
            for connection in due(&lingering) { close(connection, isReset: connection.plan?.lateEnding == .reset) }
        }
    }

    /// Takes out the alarms whose time has come, and gives the connections that still wait for them.
    private func due(_ alarms: inout [Alarm]) -> [RawConnection] {
        guard let first = alarms.first else { return [] }
        let now = Self.now
        guard first.at <= now else { return [] }
        // The delays are all the same, so that the alarms are in order.
        let due = Array(alarms.prefix { $0.at <= now })
        alarms.removeFirst(due.count)
        return due.filter { $0.connection.stamp == $0.stamp && $0.connection.isOpen }.map(\.connection)
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            Self.prepare(descriptor)
            var isOn: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
            connections[descriptor] = RawConnection(descriptor)
            count.withLock { [connections] in $0 = connections.count }
        }
    }

    private func close(_ connection: RawConnection, isReset: Bool = false) {
        guard connection.isOpen else { return }
        let isReset = isReset && !isBehindRelay
        connection.isOpen = false
        // Before the client can notice.
        connection.note {
            if $0.end == .open { $0.end = isReset ? .reset : .finished }
            $0.isSettled = true
        }
        if isReset {
            var setting = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection.descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
        }
        connections[connection.descriptor] = nil
        count.withLock { [connections] in $0 = connections.count }
        Glibc.close(connection.descriptor)
    }

    // MARK: Requests

    private func read(_ connection: RawConnection, _ buffer: inout [UInt8]) {
        while connection.isOpen {
            let count = recv(connection.descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                if count == 0 || errno != EAGAIN && errno != EINTR { close(connection) }
                return
            }
            // A client that sends the next request has seen enough; what it takes for its answer is on the way already.
            guard connection.isIdle else { return close(connection, isReset: true) }
            connection.input += buffer[..<count]
            if let request = connection.nextRequest() { answer(request, on: connection) }
        }
    }

    private func answer(_ request: RawRequest, on connection: RawConnection) {
        guard let exchange = registry[request.id] else { return close(connection, isReset: true) }
        connection.stamp += 1
        connection.plan = nil
        connection.exchange = exchange
        if request.path == exchange.plan?.path, let plan = exchange.plan {
            connection.plan = plan
            connection.output = plan.bytes
            connection.cuts = plan.cuts[...]
        } else {
            connection.output =
                request.path.hasPrefix("/r/")
                ? Array(
                    "HTTP/1.1 302 Found\r\nLocation: /n/\(request.id)\r\nContent-Length: 4\r\n\r\n\(request.isHead ? "" : "gone")"
                        .utf8
                )
                : exchange.goodResponse(isHead: request.isHead).bytes
            connection.cuts = [connection.output.count]
        }
        connection.written = 0
        connection.isIdle = false
        let attempt = Exchange.Attempt(path: request.path, isHead: request.isHead, bytes: connection.output)
        connection.attempt = exchange.begin(attempt)
        advance(connection)
    }

    /// Writes what there is to write now.
    private func advance(_ connection: RawConnection) {
        guard connection.isOpen, !connection.isIdle else { return }
        while let cut = connection.cuts.first {
            // Before the client can see it.
            connection.note { $0.sent = cut }
            while connection.written < cut {
                let count = connection.output.withUnsafeBytes {
                    send(
                        connection.descriptor,
                        $0.baseAddress.map { $0 + connection.written },
                        cut - connection.written,
                        Int32(MSG_NOSIGNAL)
                    )
                }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    guard errno == EAGAIN else { return close(connection) }
                    connection.waitsForRoom = true
                    return
                }
                connection.written += count
            }
            connection.cuts.removeFirst()
            if connection.plan?.isSlow == true, !connection.cuts.isEmpty {
                connection.stamp += 1
                pauses.append(Alarm(at: Self.now + Self.pause, connection: connection, stamp: connection.stamp))
                return
            }
        }
        connection.waitsForRoom = false
        conclude(connection)
    }

    private func conclude(_ connection: RawConnection) {
        connection.isIdle = true
        switch connection.plan?.ending ?? .keep {
        case .close: return close(connection)
        case .reset: return close(connection, isReset: true)
        case .halfClose:
            connection.note {
                $0.end = .finished
                $0.isSettled = true
            }
            // A request that comes now cannot be answered.
            connection.isIdle = false
            shutdown(connection.descriptor, Int32(SHUT_WR))
        case .keep:
            connection.note { $0.isSettled = true }
            if connection.plan == nil || connection.exchange?.isClean == true { return }
        }
        // The client may wait for more, or be done; both have to end.
        connection.stamp += 1
        lingering.append(Alarm(at: Self.now + Self.patience, connection: connection, stamp: connection.stamp))
    }
}

/// What the server has to know of a request.
struct RawRequest {
    let id: UInt64
    let path: String
    let isHead: Bool
}

/// One connection of the server.
final class RawConnection {
    let descriptor: Int32
    var isOpen = true
    /// Whether it waits for a request.
    var isIdle = true
    var waitsForRoom = false
    /// Changes with everything that makes an alarm void.
    var stamp = 0
    var input: [UInt8] = []
    var plan: Plan?
    var exchange: Exchange?
    var attempt = 0
    var output: [UInt8] = []
    var cuts: ArraySlice<Int> = []
    var written = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes down what is done for the current request.
    func note(_ change: (inout Exchange.Attempt) -> Void) {
        exchange?.update(attempt, change)
    }

    /// Takes a request out of the input, once it is there with its body.
    func nextRequest() -> RawRequest? {
        guard let end = input.indices.dropFirst(3).first(where: { input[($0 - 3)...$0] == [13, 10, 13, 10] }) else {
            return nil
        }
        let lines = String(decoding: input[..<end], as: UTF8.self).split(separator: "\r\n")
        let start = lines.first?.split(separator: " ") ?? []
        var id = UInt64.max
        var length = 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].drop { $0 == " " }
            switch parts[0].lowercased() {
            case "x-id": id = UInt64(value) ?? .max
            case "content-length": length = Int(value) ?? 0
            default: break
            }
        }
        guard start.count == 3, input.count >= end + 1 + length else { return nil }
        input.removeFirst(end + 1 + length)
        return RawRequest(id: id, path: String(start[1]), isHead: start[0] == "HEAD")
    }
}
#endif
