#if os(Linux)
import CurlShim
import Glibc

/// The sockets an event loop watches, with epoll.
///
/// libcurl stops watching a connection whenever it is idle, and watches it again for the next request. A socket that
/// libcurl told us about when it opened it stays registered in between, which saves two system calls a request; an event
/// that comes meanwhile (the server closed the connection) takes it out.
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
    /// Sockets that carry several exchanges at once.
    private var shared: Set<Int32> = []
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
        shared.remove(socket)
        interests[socket] = Interest(registered: nil, wanted: nil, isOwned: true)
    }

    /// Closes a socket for libcurl, which also takes it out of epoll.
    func close(_ socket: Int32) {
        shared.remove(socket)
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
            shared.remove(socket)
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

    /// Notes that a socket carries several exchanges at once.
    ///
    /// - Parameter socket: The socket; ignored where it is not a known one.
    func noteShared(_ socket: Int32) {
        if interests[socket]?.isOwned == true { shared.insert(socket) }
    }

    /// Lets what is written to shared sockets wait until the closure is done, and then go out together.
    ///
    /// libcurl writes each request by itself, and each such write goes all the way through the network stack, here and on
    /// the other side, for some fifty bytes.
    ///
    /// - Parameter write: What writes; it must not wait.
    func writingTogether(_ write: () -> Void) {
        let sockets = shared
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
                control(EPOLL_CTL_DEL, socket, 0)
                interest.registered = nil
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
