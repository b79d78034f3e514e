#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync
import PiuPiuEngine

/// Watches the sockets of an event loop with epoll.
///
/// libcurl stops watching a connection when it becomes idle, and watches it again for the next request. A socket that
/// libcurl reported when opening it stays registered in between, which saves two system calls per request. An event on
/// an idle connection ends the connection if nothing may arrive on it between two exchanges: the server closed it, or
/// sent an unrequested response that the next request would receive.
final class Poller {
    /// An event on a socket.
    struct Event {
        let socket: Int32
        /// The CURL_CSELECT_… bits for `curl_multi_socket_action`; 0 if libcurl has to check the socket itself.
        let selection: Int32
        /// The index of the engine that watches the socket.
        let engine: Int
    }

    private struct Interest {
        /// The events registered with epoll; `nil` for none.
        var registered: UInt32?
        /// The events that libcurl wants; `nil` for none.
        var wanted: UInt32?
        /// Whether libcurl reports when it closes the socket.
        var isOwned: Bool
        /// The index of the engine that watches the socket.
        var engine = 0
        /// Whether the reader of the socket's exchange accepts nothing for now.
        var isHeld = false

        /// The events to report; `nil` for none, in which case the socket must not be registered, because epoll always reports
        /// a hang-up.
        var due: UInt32? {
            guard isHeld else { return wanted }
            return wanted.flatMap { $0 & EPOLLOUT.rawValue == 0 ? nil : EPOLLOUT.rawValue }
        }
    }

    private let descriptor: Int32
    private let wakeDescriptor: Int32
    private let reportsEveryClose: Bool
    private var interests: [Int32: Interest] = [:]
    /// The known connections.
    private(set) var connections = ConnectionTable()
    /// The user of a connection that carries several exchanges at once.
    struct SharedUse {
        /// The engine's index in the loop.
        let engine: Int
        let origin: String
        /// Whether the engine's gate counts the connection.
        let isCounted: Bool
        /// Whether the connection sends datagrams, as HTTP/3 does.
        var isDatagram = false
    }

    /// Sockets that carry several exchanges at once.
    private var shared: [Int32: SharedUse] = [:]
    /// Shared connections that were closed and not yet taken by their engine.
    private var closedShared: [SharedUse] = []
    private var buffer = [epoll_event](repeating: epoll_event(), count: 256)

    /// The number of sockets of connections.
    ///
    /// libcurl has further sockets to wake it from its threads: with 8.23, one for each engine that has an exchange.
    var socketCount: Int { interests.values.count { $0.isOwned } }

    /// The number of sockets that carry several exchanges at once.
    var sharedCount: Int { shared.count }

    /// Creates a poller.
    ///
    /// - Parameters:
    ///   - wakeDescriptor: A descriptor that ends a wait when it is written to. Each write triggers an event, so it is never
    ///     read.
    ///   - reportsEveryClose: Whether libcurl calls back for every socket it closes.
    /// - Throws: `TransportError` with the code `outOfResources` if there is no descriptor left.
    init(wakeDescriptor: Int32, reportsEveryClose: Bool) throws {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        self.wakeDescriptor = wakeDescriptor
        self.reportsEveryClose = reportsEveryClose
        guard descriptor >= 0, control(EPOLL_CTL_ADD, wakeDescriptor, EPOLLIN.rawValue | EPOLLET.rawValue) else {
            throw TransportError(.outOfResources, underlyingDescription: String(cString: strerror(errno)))
        }
    }

    deinit {
        // Some versions of libcurl do not report every close.
        connections.closeAll()
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Records that libcurl opened a socket and will report when it closes it.
    func opened(_ socket: Int32) {
        forgetShared(socket)
        connections.opened(socket)
        interests[socket] = Interest(registered: nil, wanted: nil, isOwned: true)
    }

    /// Closes a socket for libcurl and removes it from epoll.
    func close(_ socket: Int32) {
        forgetShared(socket)
        connections.closed(socket)
        // Closing alone does not remove it while a child process still holds it, between fork and exec.
        if interests.removeValue(forKey: socket)?.registered != nil { control(EPOLL_CTL_DEL, socket, 0) }
        Glibc.close(socket)
    }

    /// Watches a socket for the events of a CURL_POLL_… value, or stops watching it; the engine with an index receives the
    /// events.
    func watch(_ socket: Int32, _ what: Int32, engine: Int) {
        guard let place = interests.index(forKey: socket) else {
            interests[socket] = Interest(registered: nil, wanted: nil, isOwned: false)
            return watch(socket, what, engine: engine)
        }
        if what == PP_CURL_POLL_REMOVE {
            interests.values[place].wanted = nil
            let interest = interests.values[place]
            if interest.isOwned, reportsEveryClose || fcntl(socket, F_GETFD) >= 0 { return }
            if interest.registered != nil { control(EPOLL_CTL_DEL, socket, 0) }
            interests.remove(at: place)
            forgetShared(socket)
            connections.closed(socket)
            return
        }
        var events: UInt32 = 0
        if what & Int32(PP_CURL_POLL_IN) != 0 { events |= EPOLLIN.rawValue }
        if what & Int32(PP_CURL_POLL_OUT) != 0 { events |= EPOLLOUT.rawValue }
        interests.values[place].wanted = events
        interests.values[place].engine = engine
        update(socket, at: place)
    }

    /// Registers the events of a socket that are due.
    private func update(_ socket: Int32, at place: Dictionary<Int32, Interest>.Index) {
        let registered = interests.values[place].registered
        let due = interests.values[place].due
        guard registered != due else { return }
        if let due {
            interests.values[place].registered = register(socket, due, isKnown: registered != nil) ? due : nil
        } else {
            control(EPOLL_CTL_DEL, socket, 0)
            interests.values[place].registered = nil
        }
    }

    // MARK: Pauses

    /// Reports neither received bytes nor the end of a connection until ``letGo(_:)``.
    ///
    /// libcurl 8.5 to 8.11 ask to watch the socket of a paused exchange. If bytes are reported, 8.5 reads without limit bytes
    /// that the paused reader does not accept, and drops them at the end of the connection. Connections that carry several
    /// exchanges are not affected: the others need their bytes.
    func hold(_ claim: ConnectionTable.Claim) { setHeld(claim, true) }

    /// Ends the effect of ``hold(_:)``.
    func letGo(_ claim: ConnectionTable.Claim) { setHeld(claim, false) }

    private func setHeld(_ claim: ConnectionTable.Claim, _ isHeld: Bool) {
        guard connections.isExclusive(claim), let place = interests.index(forKey: claim.socket),
            interests.values[place].isHeld != isHeld
        else { return }
        interests.values[place].isHeld = isHeld
        // A socket that libcurl does not watch stays registered as it is.
        if interests.values[place].wanted != nil { update(claim.socket, at: place) }
    }

    // MARK: Connections

    /// Claims a connection for an exchange, which must release it with ``release(_:)``.
    ///
    /// - Parameters:
    ///   - key: The addresses of both ends.
    ///   - opened: The socket that the exchange opened; `nil` if it reuses an open connection.
    ///   - sharedUse: The user of a shared connection; `nil` if it carries one exchange at a time.
    /// - Returns: The claim, and the description of a reused connection for observers; `nil` if the connection isn't known.
    func claim(
        _ key: ConnectionTable.Key,
        opened: Int32?,
        sharedUse: SharedUse?
    ) -> (claim: ConnectionTable.Claim, reused: ObservedConnection?)? {
        let kind: ConnectionTable.Kind = sharedUse == nil ? .exclusive : .multiplexed
        guard let claimed = connections.claim(key, opened: opened, kind: kind) else { return nil }
        if let sharedUse, opened != nil { shared[claimed.claim.socket] = sharedUse }
        return claimed
    }

    /// Reports the opening and all further events of a connection to observers.
    func observe(_ claim: ConnectionTable.Claim, _ monitor: @autoclosure () -> ConnectionMonitor) {
        connections.observe(claim, monitor())
    }

    /// Returns the origins of an engine's shared connections that were closed, one per connection, and clears the list.
    func takeClosedShared(of engine: Int) -> [String] {
        guard !closedShared.isEmpty else { return [] }
        let origins = closedShared.filter { $0.engine == engine }.map(\.origin)
        closedShared.removeAll { $0.engine == engine }
        return origins
    }

    private func forgetShared(_ socket: Int32) {
        if let use = shared.removeValue(forKey: socket), use.isCounted { closedShared.append(use) }
    }

    /// Releases a claim.
    func release(_ claim: ConnectionTable.Claim) { connections.release(claim) }

    /// Shuts down a connection that must not carry another exchange.
    ///
    /// libcurl keeps the socket and closes it the next time it checks the socket.
    func retire(_ claim: ConnectionTable.Claim) {
        // Each HTTP/3 stream marks its own end, and a datagram socket has nothing to shut down.
        guard connections.isOpen(claim), shared[claim.socket]?.isDatagram != true else { return }
        retire(claim.socket)
    }

    private func retire(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Whether a connection has bytes to read, or has ended, before a request is sent on it.
    func hasUnreadBytes(_ claim: ConnectionTable.Claim) -> Bool {
        var byte: UInt8 = 0
        let count = recv(claim.socket, &byte, 1, Int32(truncatingIfNeeded: MSG_PEEK | MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
    }

    /// Returns the system's traffic counters of a connection that carries one exchange at a time.
    ///
    /// The result is `nil` for shared connections, whose bytes belong to several exchanges, and if the system provides no
    /// counters.
    ///   system provides none.
    func traffic(of claim: ConnectionTable.Claim, now: Int64) -> ConnectionTraffic? {
        guard connections.isExclusive(claim) else { return nil }
        return SocketTraffic(of: claim.socket).map { ConnectionTraffic($0, now: now) }
    }

    /// Runs a closure, which must not block, and delays all writes to shared sockets until it returns.
    ///
    /// libcurl writes each request by itself. Each such write passes through the whole network stack on both sides for some
    /// fifty bytes.
    func writingTogether(_ write: () -> Void) {
        let sockets = shared
        for (socket, use) in sockets where !use.isDatagram { setCork(socket, 1) }
        write()
        // A socket closed meanwhile has already sent its bytes; uncorking a new socket with the same number is
        // harmless.
        for (socket, use) in sockets where !use.isDatagram { setCork(socket, 0) }
    }

    private func setCork(_ socket: Int32, _ isOn: Int32) {
        var isOn = isOn
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits for events.
    ///
    /// - Parameters:
    ///   - milliseconds: The timeout; 0 to return at once, -1 to wait without limit.
    ///   - events: The array that receives the events.
    func wait(milliseconds: Int32, into events: inout [Event]) {
        events.removeAll(keepingCapacity: true)
        let count = epoll_wait(descriptor, &buffer, Int32(buffer.count), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let socket = buffer[index].data.fd
            var happened = buffer[index].events
            guard socket != wakeDescriptor, var interest = interests[socket] else { continue }
            guard interest.wanted != nil else {
                if connections.mustBeSilent(socket), happened & ~EPOLLOUT.rawValue == 0 {
                    // The socket was still watched for room to send. Now only incoming bytes matter.
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
            guard let due = interest.due else { continue }
            // If the reader accepts nothing, the end of the connection is reported when the reader resumes, or libcurl sends.
            if interest.isHeld { happened &= due }
            var selection: Int32 = 0
            if happened & EPOLLIN.rawValue != 0 { selection |= Int32(PP_CURL_CSELECT_IN) }
            if happened & EPOLLOUT.rawValue != 0 { selection |= Int32(PP_CURL_CSELECT_OUT) }
            if happened & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { selection |= Int32(PP_CURL_CSELECT_ERR) }
            // An answer may have arrived meanwhile. If only "writable" is reported, libcurl 7.88 sends; if the server has
            // closed, that resets the connection, and the answer is lost. With nothing selected, libcurl checks the socket
            // itself, and reads first, as 8.14 always does.
            if happened == EPOLLOUT.rawValue, !interest.isHeld, shared[socket] == nil { selection = 0 }
            events.append(Event(socket: socket, selection: selection, engine: interest.engine))
        }
    }

    /// Registers a socket with epoll, even if the recorded state is wrong because socket numbers are reused.
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
