#if os(Linux)
import CurlShim
import Glibc

/// The sockets an event loop watches, with epoll.
///
/// libcurl stops watching a connection whenever it is idle, and watches it again for the next request. A socket that
/// libcurl told us about when it opened it stays registered in between, which saves two system calls a request. An event
/// that comes meanwhile ends the connection, if it is one on which nothing may arrive between two exchanges: the server
/// closed it, or sent a response that nobody asked for and that the next request would get.
final class Poller {
    /// What happened on a socket.
    struct Event {
        let socket: Int32
        /// For `curl_multi_socket_action`: CURL_CSELECT_… bits.
        let selection: Int32
        /// Which engine watches it.
        let engine: Int
    }

    private struct Interest {
        /// What is registered with epoll; `nil` for nothing.
        var registered: UInt32?
        /// What libcurl wants; `nil` for nothing.
        var wanted: UInt32?
        /// Whether libcurl tells us when it closes the socket.
        var isOwned: Bool
        /// Which engine watches it.
        var engine = 0
    }

    private let descriptor: Int32
    private let wakeDescriptor: Int32
    private let tellsOfEveryClose: Bool
    private var interests: [Int32: Interest] = [:]
    /// What is known of the connections.
    private(set) var connections = ConnectionTable()
    /// Who uses a connection that carries several exchanges at once.
    struct SharedUse {
        /// The engine, by its place among the engines of the loop.
        let engine: Int
        let origin: String
        /// Whether the engine's gate knows of the connection.
        let isCounted: Bool
    }

    /// Sockets that carry several exchanges at once.
    private var shared: [Int32: SharedUse] = [:]
    /// Shared connections that were closed, until their engine asks.
    private var closedShared: [SharedUse] = []
    private var buffer = [epoll_event](repeating: epoll_event(), count: 256)

    /// How many sockets are known.
    var socketCount: Int { interests.count }

    /// How many sockets carry several exchanges at once.
    var sharedCount: Int { shared.count }

    /// Creates a poller.
    ///
    /// - Parameters:
    ///   - wakeDescriptor: Ends a wait when it is written to. Each write counts, so it needs no reading.
    ///   - tellsOfEveryClose: Whether libcurl calls for every socket it closes.
    /// - Throws: ``TransportError`` with the code `outOfResources` where there is no descriptor left.
    init(wakeDescriptor: Int32, tellsOfEveryClose: Bool) throws {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        self.wakeDescriptor = wakeDescriptor
        self.tellsOfEveryClose = tellsOfEveryClose
        guard descriptor >= 0, control(EPOLL_CTL_ADD, wakeDescriptor, EPOLLIN.rawValue | EPOLLET.rawValue) else {
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(errno)))
        }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Notes that libcurl opened a socket and will tell when it closes it.
    func opened(_ socket: Int32) {
        forgetShared(socket)
        connections.opened(socket)
        interests[socket] = Interest(registered: nil, wanted: nil, isOwned: true)
    }

    /// Closes a socket for libcurl, which also takes it out of epoll.
    func close(_ socket: Int32) {
        forgetShared(socket)
        connections.closed(socket)
        // Closing alone does not take it out while a child process still holds it, between fork and exec.
        if interests.removeValue(forKey: socket)?.registered != nil { control(EPOLL_CTL_DEL, socket, 0) }
        Glibc.close(socket)
    }

    /// Watches a socket, or stops watching it.
    ///
    /// - Parameters:
    ///   - socket: The socket.
    ///   - what: CURL_POLL_…
    ///   - engine: Who is to hear of it, by its place among the engines of the loop.
    func watch(_ socket: Int32, _ what: Int32, engine: Int) {
        var interest = interests[socket] ?? Interest(registered: nil, wanted: nil, isOwned: false)
        if what == PP_CURL_POLL_REMOVE {
            interest.wanted = nil
            if interest.isOwned, tellsOfEveryClose || fcntl(socket, F_GETFD) >= 0 {
                interests[socket] = interest
                return
            }
            if interest.registered != nil { control(EPOLL_CTL_DEL, socket, 0) }
            interests[socket] = nil
            forgetShared(socket)
            connections.closed(socket)
            return
        }
        var events: UInt32 = 0
        if what & Int32(PP_CURL_POLL_IN) != 0 { events |= EPOLLIN.rawValue }
        if what & Int32(PP_CURL_POLL_OUT) != 0 { events |= EPOLLOUT.rawValue }
        interest.wanted = events
        interest.engine = engine
        if interest.registered != events {
            interest.registered = register(socket, events, isKnown: interest.registered != nil) ? events : nil
        }
        interests[socket] = interest
    }

    // MARK: Connections

    /// Claims a connection for an exchange, which must give it back with ``release(_:)``.
    ///
    /// - Parameters:
    ///   - key: The addresses of its ends.
    ///   - opened: The socket that the exchange opened for it; `nil` if it uses a connection that was open.
    ///   - sharedUse: Who shares the connection; `nil` for one that carries one exchange at a time.
    /// - Returns: The claim; `nil` if the connection isn't known.
    func claim(_ key: ConnectionTable.Key, opened: Int32?, sharedUse: SharedUse?) -> ConnectionTable.Claim? {
        let kind: ConnectionTable.Kind = sharedUse == nil ? .exclusive : .multiplexed
        guard let claim = connections.claim(key, opened: opened, kind: kind) else { return nil }
        if let sharedUse, opened != nil { shared[claim.socket] = sharedUse }
        return claim
    }

    /// Takes the origins whose shared connections were closed.
    ///
    /// - Parameter engine: The engine that asks.
    /// - Returns: An origin for each connection.
    func takeClosedShared(of engine: Int) -> [String] {
        guard !closedShared.isEmpty else { return [] }
        let origins = closedShared.filter { $0.engine == engine }.map(\.origin)
        closedShared.removeAll { $0.engine == engine }
        return origins
    }

    private func forgetShared(_ socket: Int32) {
        if let use = shared.removeValue(forKey: socket), use.isCounted { closedShared.append(use) }
    }

    /// Gives a claim back.
    func release(_ claim: ConnectionTable.Claim) { connections.release(claim) }

    /// Ends a connection that must not carry another exchange, without taking it from libcurl, which closes it when it
    /// looks at it next.
    func retire(_ claim: ConnectionTable.Claim) {
        guard connections.isOpen(claim) else { return }
        retire(claim.socket)
    }

    private func retire(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Whether there are bytes to read on a connection, or its end, before a request was sent on it.
    func hasUnreadBytes(_ claim: ConnectionTable.Claim) -> Bool {
        var byte: UInt8 = 0
        let count = recv(claim.socket, &byte, 1, Int32(truncatingIfNeeded: MSG_PEEK | MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
    }

    /// What the system says about a connection that carries one exchange at a time.
    ///
    /// - Parameters:
    ///   - claim: The connection.
    ///   - now: The present, in nanoseconds.
    /// - Returns: What it says; `nil` for other connections, whose bytes are everybody's, and where it says nothing.
    func traffic(of claim: ConnectionTable.Claim, now: Int64) -> ConnectionTraffic? {
        guard connections.isExclusive(claim) else { return nil }
        var traffic = PPTraffic()
        guard pp_socket_traffic(claim.socket, &traffic) else { return nil }
        return ConnectionTraffic(
            lastReceivedAt: now - Int64(traffic.milliseconds_since_received) * 1_000_000,
            lastAcknowledgedAt: now - Int64(traffic.milliseconds_since_acknowledged) * 1_000_000,
            acknowledged: traffic.acknowledged,
            hasUnsentBytes: traffic.has_unsent_bytes
        )
    }

    /// Lets what is written to shared sockets wait until the closure is done, and then go out together.
    ///
    /// libcurl writes each request by itself, and each such write goes all the way through the network stack, here and on
    /// the other side, for some fifty bytes.
    ///
    /// - Parameter write: What writes; it must not wait.
    func writingTogether(_ write: () -> Void) {
        let sockets = shared.keys
        for socket in sockets { setCork(socket, 1) }
        write()
        // One that was closed meanwhile has sent what waited; one that has got its number is none the worse for it.
        for socket in sockets { setCork(socket, 0) }
    }

    private func setCork(_ socket: Int32, _ isOn: Int32) {
        var isOn = isOn
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits for events.
    ///
    /// - Parameters:
    ///   - milliseconds: How long at most; 0 to look only, -1 without limit.
    ///   - events: An array to put them in.
    func wait(milliseconds: Int32, into events: inout [Event]) {
        events.removeAll(keepingCapacity: true)
        let count = epoll_wait(descriptor, &buffer, Int32(buffer.count), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let socket = buffer[index].data.fd
            let happened = buffer[index].events
            guard socket != wakeDescriptor, var interest = interests[socket] else { continue }
            guard interest.wanted != nil else {
                if connections.mustBeSilent(socket), happened & ~EPOLLOUT.rawValue == 0 {
                    // It was still watched for room to send. What comes in is all that matters now.
                    control(EPOLL_CTL_MOD, socket, EPOLLIN.rawValue)
                    interest.registered = EPOLLIN.rawValue
                } else {
                    if connections.mustBeSilent(socket) { retire(socket) }
                    control(EPOLL_CTL_DEL, socket, 0)
                    interest.registered = nil
                }
                interests[socket] = interest
                continue
            }
            var selection: Int32 = 0
            if happened & EPOLLIN.rawValue != 0 { selection |= Int32(PP_CURL_CSELECT_IN) }
            if happened & EPOLLOUT.rawValue != 0 { selection |= Int32(PP_CURL_CSELECT_OUT) }
            if happened & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { selection |= Int32(PP_CURL_CSELECT_ERR) }
            events.append(Event(socket: socket, selection: selection, engine: interest.engine))
        }
    }

    /// Tells epoll what to watch for, also where our idea of what it knows is wrong: numbers of sockets come again.
    private func register(_ socket: Int32, _ events: UInt32, isKnown: Bool) -> Bool {
        if control(isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, events) { return true }
        guard errno == (isKnown ? ENOENT : EEXIST) else { return false }
        return control(isKnown ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, events)
    }

    @discardableResult
    private func control(_ operation: Int32, _ socket: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = socket
        return epoll_ctl(descriptor, operation, socket, &event) == 0
    }
}
#endif
