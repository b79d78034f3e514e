import Foundation

/// The server's thread, which waits for sockets, timers and orders, and passes them to the connections.
final class Reactor {
    let core: ServerCore
    private let listener: Int32
    private let wakeReader: Int32
    private let onConnect: [Step]
    private var poller = Poller()
    private var timers = TimerQueue()
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var lastSerial = 0

    /// The connections by slot, following the slots of the pipe and the listener.
    private var connections: [Connection] = []
    private var connectionsBySerial: [Int: Connection] = [:]

    private static let firstSlot = 2
    private static let listenerTimer = 0

    init(core: ServerCore, listener: Int32, wakeReader: Int32, onConnect: [Step]) {
        self.core = core
        self.listener = listener
        self.wakeReader = wakeReader
        self.onConnect = onConnect
    }

    /// Runs until the server is stopped, then closes everything.
    func run() {
        core.update { $0.thread = ObjectIdentifier(Thread.current) }
        poller.append(wakeReader, .readable)
        poller.append(listener, .readable)
        while runOnce() {}
        Sockets.end(listener)
        for connection in connections.reversed() {
            connection.close()
        }
        core.didEnd(wakeReader: wakeReader)
    }

    private func runOnce() -> Bool {
        let ready = poller.wait(milliseconds: timers.milliseconds(from: .now))
        // Slots change as connections open and close, so this looks the connections up first.
        let readyConnections = ready.filter { $0.slot >= Self.firstSlot }
            .map { (connections[$0.slot - Self.firstSlot], $0.readiness) }
        for (connection, readiness) in readyConnections {
            connection.socketIsReady(readiness, buffer: &buffer)
        }
        if ready.contains(where: { $0.slot == 1 }) {
            acceptConnections()
        }
        let now = ContinuousClock.now
        while let timer = timers.popDue(now) {
            if timer.connection == Self.listenerTimer {
                poller.setInterest(.readable, at: 1)
            }
            connectionsBySerial[timer.connection]?.timerFired(timer.token)
        }
        guard ready.contains(where: { $0.slot == 0 }) else { return true }
        Sockets.drain(wakeReader)
        let orders = core.update { $0.takeOrders() }
        for serial in orders.releasedConnections {
            connectionsBySerial[serial]?.gateOpened()
        }
        return !orders.isStopping
    }

    private func acceptConnections() {
        // A limit, so that a flood of new connections does not starve the open ones.
        for _ in 0..<1024 {
            switch Sockets.acceptConnection(from: listener) {
            case .socket(let socket):
                lastSerial += 1
                let connection = Connection(serial: lastSerial, socket: socket, slot: connections.count, reactor: self)
                connections.append(connection)
                connectionsBySerial[lastSerial] = connection
                poller.append(socket, .readable)
                core.update {
                    $0.acceptedConnections += 1
                    $0.openConnections += 1
                }
                connection.begin(onConnect)
            case .none:
                return
            case .tryLater:
                // Out of descriptors: the listener stays readable, so the reactor ignores it for a moment.
                poller.setInterest([], at: 1)
                _ = timers.schedule(after: .milliseconds(20), connection: Self.listenerTimer, now: .now)
                return
            }
        }
    }

    // MARK: For connections

    /// Schedules a callback to a connection, and returns its token.
    func schedule(after delay: Duration, for connection: Connection) -> Int {
        timers.schedule(after: delay, connection: connection.serial, now: .now)
    }

    /// Sets the events to watch a connection's socket for.
    func setInterest(_ interest: Poller.Readiness, of connection: Connection) {
        poller.setInterest(interest, at: connection.slot + Self.firstSlot)
    }

    /// Removes a connection whose socket is closed.
    func remove(_ connection: Connection) {
        let slot = connection.slot
        poller.remove(at: slot + Self.firstSlot)
        connections.swapAt(slot, connections.count - 1)
        connections.removeLast()
        if slot < connections.count {
            connections[slot].slot = slot
        }
        connectionsBySerial[connection.serial] = nil
        core.update { $0.openConnections -= 1 }
    }
}
