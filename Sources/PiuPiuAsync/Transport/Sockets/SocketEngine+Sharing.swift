#if os(Linux)
import PiuPiuEngine

// Which exchanges share a connection of HTTP/2.
//
// A place that the gate grants is one connection. An exchange has it while it opens one, and on HTTP/1.1 to its end. On HTTP/2
// the connection takes it over, and has it as long as it carries exchanges; the others that join it need none.
extension SocketEngine {
    /// Lets an exchange join a shared connection, wait for one, or ask for a place to open its own.
    ///
    /// - Parameters:
    ///   - exchange: The exchange, which has no place.
    ///   - isReturned: Whether it was sent before, in vain.
    func place(_ exchange: SocketExchange, isReturned: Bool) {
        // Without TLS, it is known from the start that the server shares connections.
        if exchange.speaksHTTP2AtOnce { shared.know(exchange.key) }
        guard exchange.joinsOthers, !shared.isEmpty else { return request(exchange) }
        switch shared.place(ObjectIdentifier(exchange.ticket), exchange.key, isReturned: isReturned) {
        case .run(let connection): join(exchange, connection)
        case .open: request(exchange)
        case .wait: wait(exchange)
        }
    }

    private func wait(_ exchange: SocketExchange) {
        exchange.admission = .stream
        exchange.reportQueued()
    }

    /// Runs an exchange on a shared connection that has room, and gives up what it has besides.
    func join(_ exchange: SocketExchange, _ connection: SocketConnection) {
        leave(exchange)
        exchange.times = SocketExchange.Times()
        exchange.findings = nil
        let next = giveUpPlace(exchange)
        exchange.timeline.admit()
        // Before it runs: if that fails, it may open a connection after all.
        shared.end(opener: ObjectIdentifier(exchange.ticket), exchange.key)
        run(exchange, on: connection, isReused: true)
        admit(next)
    }

    /// Gives a connection that nobody uses, because it is new or was idle, to an exchange with a place.
    func take(_ connection: SocketConnection, for exchange: SocketExchange, isReused: Bool) {
        let key = connection.key
        guard connection.http.isShared else {
            run(exchange, on: connection, isReused: isReused)
            // Its time may have been over before it could begin.
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
        let isNews = !shared.isKnown(key)
        shared.add(connection, key, by: ObjectIdentifier(exchange.ticket))
        run(exchange, on: connection, isReused: isReused)
        if isNews { gather(on: connection) }
        hasRoom(connection)
    }

    /// Lets exchanges that each open a connection, or wait for a place to do so, share one that turned out to be shared.
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

    /// Lets those go on that waited for a shared connection, as many as there is room for.
    ///
    /// One that fails to start ends at once and lets the next go on. With thousands waiting, this must not recurse.
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
        // Whoever still waits for a place of its own has waited longest.
        if let id = shared.opener(key), let opener = exchange(id), opener.admission == .gate,
            let connection = shared.available(key)
        {
            join(opener, connection)
        }
        while let step = shared.next(key) {
            switch step {
            case .run(let id, let connection): if let exchange = exchange(id) { join(exchange, connection) }
            case .open(let id):
                if let exchange = exchange(id) { request(exchange) } else { shared.end(opener: id, key) }
            }
        }
    }

    /// Lets those ask for a place of their own that waited for a connection that is not shared after all.
    private func release(_ ids: [ObjectIdentifier]) {
        for id in ids {
            if let exchange = exchange(id) { request(exchange) }
        }
    }

    /// Records that a connection has room, because an exchange has left it or its limit has changed.
    func hasRoom(_ connection: SocketConnection) {
        guard connection.http.isShared else { return becameIdle(connection) }
        if connection.isOld { (connection.http as? HTTP2Connection)?.stopAccepting() }
        serveWaiting(connection.key)
        guard connection.permit != nil, !connection.http.isBusy, !connection.http.isClosed else { return }
        // The connection is idle before its place goes to another, who may have to close it to make room.
        let permit = connection.permit.take()
        shared.remove(connection, connection.key)
        becameIdle(connection)
        release(permit)
    }

    /// Takes a connection that was closed from those that are shared.
    func leaveShared(_ connection: SocketConnection) {
        shared.remove(connection, connection.key)
        release(connection.permit.take())
        serveWaiting(connection.key)
    }

    /// Closes the shared connections that still wait for the system to take what they say last.
    func closeShared() {
        for connection in shared.connections { (connection.http as? HTTP2Connection)?.giveUp() }
    }

    private func release(_ permit: SocketConnection.Permit?) {
        guard let permit else { return }
        admit(gate.release(origin: permit.origin, isMultiplexed: false, isExclusive: permit.isExclusive))
    }

    /// Gives up an exchange's place, or its turn.
    ///
    /// - Returns: Those that are now admitted.
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

    /// Lets another open a connection if an exchange that has ended was to do so.
    func endOpener(_ exchange: SocketExchange) {
        guard !shared.isEmpty, shared.opener(exchange.key) == ObjectIdentifier(exchange.ticket) else { return }
        shared.end(opener: ObjectIdentifier(exchange.ticket), exchange.key)
        serveWaiting(exchange.key)
    }

    /// Lets an exchange go on with HTTP/1.1, which the server wants for it.
    ///
    /// It is not remembered: other requests to the same server may do as they are.
    func useHTTP1(_ exchange: SocketExchange) {
        endOpener(exchange)
        exchange.useHTTP1()
    }
}

extension SocketEngine {
    /// Tells observers of the connection that an exchange has taken.
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
