import PiuPiuAsync

/// The connections that the engine keeps open.
///
/// The table knows which socket carries which connection, its users, and its protocol.
///
///     opened ── claim ──▶ in use ── release, the last ──▶ idle ── claim ──▶ in use …
///        └───────────────────┴──────────── close ─────────┴──▶ forgotten
///
/// libcurl doesn't report the socket of a request, but it reports the addresses of both ends before it sends one. The
/// first request of a connection opened the socket; the table stores the socket with the addresses for later requests.
struct ConnectionTable {
    /// The addresses of both ends of a connection.
    struct Key: Hashable {
        var addresses: Int
        var localPort: Int32
        var remotePort: Int32
        /// Whether the ports belong to UDP; those of TCP may have the same numbers.
        var isDatagram = false

        /// Returns the key for TCP or UDP.
        func over(isDatagram: Bool) -> Key {
            var key = self
            key.isDatagram = isDatagram
            return key
        }
    }

    enum Kind {
        /// One exchange at a time; nothing may arrive between two exchanges.
        case exclusive
        /// Many exchanges at once, with frames that may arrive at any time.
        case multiplexed
    }

    /// One exchange's claim to a connection.
    struct Claim: Hashable {
        let socket: Int32
        fileprivate let serial: Int
    }

    private struct Connection {
        let serial: Int
        var key: Key?
        var kind: Kind?
        var users = 0
        /// Whether an exchange has used the connection, so it is idle without a user.
        var hasServed = false
        /// Reports the connection to observers; `nil` if there are none.
        var monitor: ConnectionMonitor?

        mutating func claim(_ socket: Int32, key: Key?, _ kind: Kind) -> Claim {
            if let key { self.key = key }
            self.kind = kind
            users += 1
            if users == 1, hasServed { monitor?.reportActive() }
            return Claim(socket: socket, serial: serial)
        }

        mutating func release(_ claim: Claim) {
            guard serial == claim.serial, users > 0 else { return }
            users -= 1
            hasServed = true
            if users == 0 { monitor?.reportIdle() }
        }
    }

    private var connections: [Int32: Connection] = [:]
    private var sockets: [Key: Int32] = [:]
    private var lastSerial = 0

    /// The number of known connections.
    var count: Int { connections.count }

    /// Adds a new socket; an earlier one with the same number is forgotten.
    mutating func opened(_ socket: Int32) {
        closed(socket)
        lastSerial += 1
        connections[socket] = Connection(serial: lastSerial)
    }

    /// Forgets a socket.
    mutating func closed(_ socket: Int32) {
        guard let connection = connections.removeValue(forKey: socket) else { return }
        connection.monitor?.reportClosed(wasIdle: connection.users == 0)
        guard let key = connection.key, sockets[key] == socket else { return }
        sockets[key] = nil
    }

    /// Forgets all sockets.
    mutating func closeAll() { for socket in Array(connections.keys) { closed(socket) } }

    /// Claims a connection for an exchange.
    ///
    /// - Parameters:
    ///   - key: The addresses of both ends.
    ///   - opened: The socket that the exchange opened; `nil` if it reuses an open connection.
    ///   - kind: Whether the connection carries one exchange or many at once.
    /// - Returns: The claim, and the description of a reused connection for observers; `nil` if the connection isn't known.
    mutating func claim(
        _ key: Key,
        opened: Int32?,
        kind: Kind
    ) -> (claim: Claim, reused: ObservedConnection?)? {
        guard let socket = opened ?? sockets[key], let place = connections.index(forKey: socket) else { return nil }
        guard opened == nil else {
            sockets[key] = socket
            return (connections.values[place].claim(socket, key: key, kind), nil)
        }
        // The claim is returned too, because finding the connection a second time would cost more.
        let claim = connections.values[place].claim(socket, key: nil, kind)
        return (claim, connections.values[place].monitor?.reused)
    }

    /// Reports the opening and all further events of a connection to observers.
    mutating func observe(_ claim: Claim, _ monitor: @autoclosure () -> ConnectionMonitor) {
        guard let place = connections.index(forKey: claim.socket), connections.values[place].monitor == nil
        else { return }
        let monitor = monitor()
        connections.values[place].monitor = monitor
        monitor.reportOpened()
    }

    /// Releases a claim; does nothing if the connection was closed.
    mutating func release(_ claim: Claim) {
        guard let place = connections.index(forKey: claim.socket) else { return }
        connections.values[place].release(claim)
    }

    /// Whether a claim's connection is still open.
    func isOpen(_ claim: Claim) -> Bool { connections[claim.socket]?.serial == claim.serial }

    /// Whether a claim's connection is open and carries one exchange at a time.
    func isExclusive(_ claim: Claim) -> Bool {
        guard let connection = connections[claim.socket], connection.serial == claim.serial else { return false }
        return connection.kind == .exclusive
    }

    /// Whether nothing may arrive on a socket, because it waits for its next exchange.
    func mustBeSilent(_ socket: Int32) -> Bool {
        guard let connection = connections[socket] else { return false }
        return connection.kind == .exclusive && connection.users == 0 && connection.hasServed
    }
}
