#if os(Linux)
import PiuPiuEngine

// The sharing of HTTP/2 connections.
//
// The gate grants places, one for each connection. An exchange holds a place while it opens a connection and, with HTTP/1.1,
// until it ends. With HTTP/2, the connection takes the place over and holds it while it carries exchanges. Exchanges that
// join the connection need no place.
extension SocketEngine {
    /// Lets an exchange join a shared connection, wait for one, or ask for a place to open its own.
    ///
    /// - Parameters:
    ///   - exchange: The exchange, which has no place.
    ///   - isReturned: Whether it was sent before without success.
    func place(_ exchange: SocketExchange, isReturned: Bool) {
        if exchange.isTunnelRequest { exchange.chooseTunnelVersion(hasConnection: hasTunnels(exchange.key)) }
        // Without TLS, the server is known to share connections from the start.
        if exchange.speaksHTTP2AtOnce { shared.know(exchange.key) }
        guard exchange.joinsOthers, !shared.isEmpty else { return requestPlace(for: exchange) }
        switch shared.place(ObjectIdentifier(exchange.ticket), exchange.key, isReturned: isReturned) {
        case .run(let connection): join(exchange, connection)
        case .open: requestPlace(for: exchange)
        case .wait: wait(exchange)
        }
    }

    /// Whether a connection of HTTP/2 is open on which the server opens tunnels.
    private func hasTunnels(_ key: SocketConnection.Key) -> Bool {
        let open = shared.available(key) ?? idleConnection(key)
        return open.map { $0.http.isShared && $0.http.allowsTunnels } ?? false
    }

    private func wait(_ exchange: SocketExchange) {
        exchange.admission = .stream
        exchange.reportQueued()
    }

    /// Runs an exchange on a shared connection that has room, and releases its other resources.
    func join(_ exchange: SocketExchange, _ connection: SocketConnection) {
        leave(exchange)
        exchange.times = SocketExchange.Times()
        exchange.findings = nil
        let next = giveUpPlace(exchange)
        exchange.timeline.admit()
        // This comes first: if the exchange fails to run, it may still open a connection.
        shared.end(opener: ObjectIdentifier(exchange.ticket), exchange.key)
        run(exchange, on: connection, isReused: true)
        admit(next)
    }

    /// Gives an unused connection, new or idle, to an exchange that has a place.
    func take(_ connection: SocketConnection, for exchange: SocketExchange, isReused: Bool) {
        let key = connection.key
        guard connection.http.isShared else {
            run(exchange, on: connection, isReused: isReused)
            // The exchange's time limit may have passed before it started.
            if !connection.http.isBusy, !connection.http.isClosed, !connection.isIdle { becameIdle(connection) }
            guard exchange.mayShare, !shared.isEmpty else { return }
            shared.end(opener: ObjectIdentifier(exchange.ticket), key)
            if !isReused { release(shared.forget(key)) }
            return serveWaiting(key)
        }
        connection.permit = SocketConnection.Permit(
            origin: exchange.request.target.origin,
            isExclusive: exchange.isExclusive
        )
        exchange.admission = .none
        let isFirst = !shared.isKnown(key)
        shared.add(connection, key, by: ObjectIdentifier(exchange.ticket))
        run(exchange, on: connection, isReused: isReused)
        if isFirst { gather(on: connection) }
        hasRoom(connection)
    }

    /// Moves exchanges that are opening connections, or waiting for a place to do so, to a connection that turned out to be
    /// shared.
    private func gather(on connection: SocketConnection) {
        let others = exchanges.values.filter { exchange in
            guard exchange.joinsOthers, exchange.key == connection.key else { return false }
            switch exchange.state {
            case .waiting: return exchange.admission == .gate
            case .preparing, .opening: return true
            case .busy, .pausing, .finished: return false
            }
        }
        for exchange in others.sorted(by: { $0.createdAt < $1.createdAt }) where exchange.state.isOpen {
            if connection.room > 0 {
                join(exchange, connection)
            } else if exchange.admission == .gate {
                gate.cancel(ObjectIdentifier(exchange.ticket), origin: exchange.request.target.origin)
                exchange.admission = .stream
                shared.wait(ObjectIdentifier(exchange.ticket), exchange.key)
            }
        }
    }

    /// Continues exchanges that wait for a shared connection, up to the available room.
    ///
    /// An exchange that fails to start ends at once and continues the next. With thousands waiting, this must not recurse.
    func serveWaiting(_ key: SocketConnection.Key) {
        guard !shared.isEmpty else { return }
        keysToServe.append(key)
        guard keysToServe.count == 1 else { return }
        var position = 0
        while position < keysToServe.count {
            serve(keysToServe[position])
            position += 1
        }
        keysToServe.removeAll(keepingCapacity: true)
    }

    private func serve(_ key: SocketConnection.Key) {
        // An opener that still waits for its place has waited longest.
        if let id = shared.opener(key), let opener = exchange(id), opener.admission == .gate,
            let connection = shared.available(key)
        {
            join(opener, connection)
        }
        while let step = shared.next(key) {
            switch step {
            case .run(let id, let connection): if let exchange = exchange(id) { join(exchange, connection) }
            case .open(let id):
                if let exchange = exchange(id) { requestPlace(for: exchange) } else { shared.end(opener: id, key) }
            }
        }
    }

    /// Makes exchanges ask for their own places, because the connection they waited for is not shared after all.
    private func release(_ ids: [ObjectIdentifier]) {
        for id in ids {
            if let exchange = exchange(id) { requestPlace(for: exchange) }
        }
    }

    /// Records that a connection has room, because an exchange left it or its limit changed.
    func hasRoom(_ connection: SocketConnection) {
        guard connection.http.isShared else { return becameIdle(connection) }
        if connection.isOld { (connection.http as? HTTP2Connection)?.stopAccepting() }
        serveWaiting(connection.key)
        guard connection.permit != nil, !connection.http.isBusy, !connection.http.isClosed else { return }
        // The connection becomes idle before another exchange gets its place, because that exchange may have to close it.
        let permit = connection.permit.take()
        shared.remove(connection, connection.key)
        becameIdle(connection)
        release(permit)
    }

    /// Removes a closed connection from the shared ones.
    func leaveShared(_ connection: SocketConnection) {
        shared.remove(connection, connection.key)
        release(connection.permit.take())
        serveWaiting(connection.key)
    }

    /// Closes the shared connections that still wait for the system to accept their last frames.
    func closeShared() {
        for connection in shared.connections { (connection.http as? HTTP2Connection)?.giveUp() }
    }

    private func release(_ permit: SocketConnection.Permit?) {
        guard let permit else { return }
        admit(gate.release(origin: permit.origin, isMultiplexed: false, isExclusive: permit.isExclusive))
    }

    /// Releases an exchange's place, or its position in a queue, and returns the exchanges that are now admitted.
    func giveUpPlace(_ exchange: SocketExchange) -> [ObjectIdentifier] {
        let (id, origin) = (ObjectIdentifier(exchange.ticket), exchange.request.target.origin)
        defer { exchange.admission = .none }
        switch exchange.admission {
        case .none: return []
        case .gate: gate.cancel(id, origin: origin)
        case .stream: shared.cancel(id, exchange.key)
        case .permit: return gate.release(origin: origin, isMultiplexed: false, isExclusive: exchange.isExclusive)
        }
        return []
    }

    /// Lets another exchange open a connection after the opener has ended.
    func endOpener(_ exchange: SocketExchange) {
        guard !shared.isEmpty, shared.opener(exchange.key) == ObjectIdentifier(exchange.ticket) else { return }
        shared.end(opener: ObjectIdentifier(exchange.ticket), exchange.key)
        serveWaiting(exchange.key)
    }

    /// Continues an exchange with HTTP/1.1, because the server requires it for this request.
    ///
    /// The engine does not remember this: other requests to the same server may still use HTTP/2.
    func useHTTP1(_ exchange: SocketExchange) {
        endOpener(exchange)
        exchange.useHTTP1()
    }
}

extension SocketEngine {
    /// Reports the connection of an exchange to observers.
    func observe(_ connection: SocketConnection, _ exchange: SocketExchange, isReused: Bool) {
        guard isReused else {
            let described = connection.described(isReused: false)
            if let observers = exchange.observers {
                let monitor = ConnectionMonitor(described, to: exchange.request.target.origin, observers)
                connection.monitor = monitor
                monitor.reportOpened()
            }
            return exchange.reportConnection(described)
        }
        exchange.reportConnection(connection.monitor?.reused ?? connection.described(isReused: true))
    }
}
#endif
