#if os(Linux)
import PiuPiuEngine

/// The exchanges and the connections of one event loop.
///
/// Only the event loop's thread uses the engine, so it contains no synchronization. Every exchange ends in ``finish(_:_:)``:
/// with a response, with a failure, at a time limit, or by cancellation. The first of these removes it from `exchanges`; the
/// others have no effect.
final class SocketEngine {
    /// The maximum number of callers to resume together.
    private static let outcomesAtOnce = 16

    let reactor: Reactor
    /// Sends a command to the loop of this engine, from any thread.
    let submit: @Sendable (SocketCommand) -> Bool

    let totalConnections: Int
    // These properties are used by the loop's thread only, so exclusive access is checked in debug builds only. Code that
    // modifies one of them never calls back into the engine.
    var gate: ConnectionGate
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var deadlines = DeadlineHeap<SocketExchange>()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private(set) var exchanges: [ObjectIdentifier: SocketExchange] = [:]
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var shared = SharedConnections<SocketConnection.Key, SocketConnection, ObjectIdentifier>()
    private var pool = ConnectionPool<SocketConnection.Key, SocketConnection>()
    /// The number of connections that are open or being opened.
    var connectionCount = 0
    let names: SocketNames
    /// The exchanges that wait for results of other threads.
    var preparing = PendingLookups<SocketPreparation.Subject, SocketExchange>()
    /// The keys whose waiting exchanges may continue.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var keysToServe: [SocketConnection.Key] = []
    /// Exchanges that were admitted but not started.
    private var admitted: [ObjectIdentifier] = []
    /// Exchanges that passed on parts of a body since the last flush.
    private var unflushed: [SocketExchange] = []
    /// Exchanges that ended since the callers were last resumed.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var outcomes: [(continuation: ExchangeContinuation, outcome: ExchangeOutcome)] = []
    private var isJustIdle = false

    /// The number of exchanges, including queued ones.
    var exchangeCount: Int { exchanges.count }

    init(
        _ reactor: Reactor,
        limits: ConnectionLimits,
        names: SocketNames,
        submit: @escaping @Sendable (SocketCommand) -> Bool
    ) {
        self.reactor = reactor
        self.names = names
        self.submit = submit
        totalConnections = max(1, limits.total)
        gate = ConnectionGate(limits)
    }

    /// The exchange of a ticket; `nil` if it has ended.
    func exchange(_ ticket: ExchangeTicket) -> SocketExchange? { exchanges[ObjectIdentifier(ticket)] }

    func exchange(_ id: ObjectIdentifier) -> SocketExchange? { exchanges[id] }

    // MARK: The life of an exchange

    /// Starts an exchange, or queues it.
    func start(_ exchange: SocketExchange) {
        let id = ObjectIdentifier(exchange.ticket)
        exchanges[id] = exchange
        exchange.engine = self
        deadlineMayHaveChanged(exchange)
        guard !exchange.timeline.isOver(now: reactor.now) else { return finishLate(exchange, .total) }
        place(exchange, isReturned: false)
    }

    /// Asks for a place among the connections to a host.
    func requestPlace(for exchange: SocketExchange) {
        let id = ObjectIdentifier(exchange.ticket)
        if gate.request(id, origin: exchange.request.target.origin, isExclusive: exchange.isExclusive) {
            exchange.admission = .permit
            begin(exchange)
        } else {
            exchange.admission = .gate
            exchange.reportQueued()
        }
    }

    /// Gives an admitted exchange a connection.
    func begin(_ exchange: SocketExchange) {
        if exchange.joinsOthers, let connection = shared.available(exchange.key) { return join(exchange, connection) }
        exchange.timeline.admit()
        // The total deadline may have passed while it waited.
        guard !exchange.timeline.isOver(now: reactor.now) else { return finishLate(exchange, .total) }
        if !exchange.needsFreshConnection, let connection = takeIdle(for: exchange) {
            return take(connection, for: exchange, isReused: true)
        }
        guard !exchange.timeline.hasStarted || exchange.mayBeSentAgain else { return fail(exchange, .connectionLost) }
        exchange.timeline.connect(now: reactor.now)
        deadlineMayHaveChanged(exchange)
        prepare(exchange)
    }

    /// The idle connection that an exchange with a key would get.
    func idleConnection(_ key: SocketConnection.Key) -> SocketConnection? { pool.first(in: key) }

    private func takeIdle(for exchange: SocketExchange) -> SocketConnection? {
        let key = exchange.key
        while let (connection, isFresh) = pool.take(from: key, now: reactor.now) {
            if isFresh, connection.http.isAlive() { return connection }
            close(idle: connection)
        }
        return nil
    }

    /// Opens sockets for an exchange.
    func open(
        _ exchange: SocketExchange,
        _ addresses: [SocketAddress],
        _ proxy: ConnectionOpener.Proxy?,
        _ tls: TLSContext?
    ) {
        while connectionCount >= totalConnections, let oldest = pool.takeOldest() { close(idle: oldest) }
        connectionCount += 1
        exchange.times.lookedUp = reactor.now
        let target = exchange.request.target
        let opener = ConnectionOpener(
            reactor,
            addresses: addresses,
            options: exchange.profile.options,
            delay: exchange.profile.eyeballsDelay,
            check: { [profile = exchange.profile] in profile.refusal(of: $0) },
            proxy: proxy,
            tls: tls.map {
                ConnectionOpener.TLS(
                    context: $0,
                    host: target.certifiedHost,
                    origin: exchange.sessionOrigin,
                    protocols: exchange.mayShare ? nil : ["http/1.1"]
                )
            }
        )
        exchange.state = .opening(opener)
        opener.start { [unowned self, unowned exchange] result in
            switch result {
            case .success(let opened): self.opened(opened, for: exchange)
            case .failure(let failure):
                self.connectionCount -= 1
                exchange.state = .waiting
                if case .socket(let failure) = failure, failure.kind == .cannotConnect {
                    self.forgetAddresses(for: exchange)
                }
                self.finish(exchange, .failure(exchange.openingFailure(failure)))
            }
        }
    }

    private func opened(_ opened: ConnectionOpener.Opened, for exchange: SocketExchange) {
        exchange.times.connected = opened.connectedAt
        exchange.times.secured = opened.securedAt
        let connection = SocketConnection(opened, for: exchange, self)
        guard (connection.http as? HTTP2Connection)?.isUsable != false,
            reactor.add(connection.http, opened.channel.descriptor, .reading)
        else {
            connectionCount -= 1
            exchange.state = .waiting
            return fail(exchange, .outOfResources)
        }
        take(connection, for: exchange, isReused: false)
        // Bytes after the proxy's response or the last handshake message were already read from the socket, so the system won't
        // report them.
        guard opened.channel.hasPendingBytes else { return }
        // The request goes first: if it were unsent when the server closes, it would count as unprocessed and be sent again.
        connection.http.flush()
        reactor.serveAgain(connection.http)
    }

    /// Sends an exchange on a connection.
    func run(_ exchange: SocketExchange, on connection: SocketConnection, isReused: Bool) {
        exchange.state = .busy(connection)
        if connection.isIdle {
            connection.isIdle = false
            connection.monitor?.reportActive()
        }
        guard !exchange.timeline.isOver(now: reactor.now) else { return finishLate(exchange, .total) }
        switch exchange.timeline.start(now: reactor.now, mayRepeat: exchange.mayBeSentAgain) {
        case .refuse: return fail(exchange, .connectionLost)
        case .proceed: break
        }
        guard exchange.beginAttempt(isReused: isReused) else {
            var failure = ExchangeFailure(.connectionLost)
            failure.cause = TransferError(.bodyNotRepeatable)
            return finish(exchange, .failure(failure))
        }
        if exchange.observed != nil { observe(connection, exchange, isReused: isReused) }
        deadlineMayHaveChanged(exchange)
        connection.http.begin(exchange)
    }

    /// Handles the end of an exchange that its connection reports.
    func ended(_ exchange: SocketExchange, _ head: HeadCollector, hasBegun: Bool, _ failure: HTTPFailure?) {
        exchange.head = head.isFinal ? head : exchange.head
        let shared = exchange.sharedConnection
        exchange.state = .waiting
        guard let failure else { return finish(exchange, exchange.outcome) }
        if exchange.isBodyUnwanted {
            exchange.body.removeAll()
            return finish(exchange, exchange.responseOutcome)
        }
        let isOthers = exchange.isReused || shared.map { $0.http.exchangeCount > 1 } ?? false
        let mayRepeat = exchange.mayRepeat(failure, hasBegun: hasBegun, isOthers: isOthers)
        let isRepeatable = exchange.content.isRepeatable
        guard mayRepeat, isRepeatable, let plan = exchange.plan(after: failure) else {
            var result = exchange.connectionFailure(failure)
            // If the failure is safe to retry, that is more useful to the caller than this cause.
            if mayRepeat, !isRepeatable, result.isSafeToRetry != true {
                result.cause = TransferError(.bodyNotRepeatable)
            }
            return finish(exchange, .failure(result))
        }
        if plan.isAlone { exchange.isAlone = true }
        if case .requiresHTTP1 = failure { useHTTP1(exchange) }
        begin(exchange, anew: failure.meansUnprocessed, after: plan.pause)
    }

    /// Ends an exchange: removes it, releases its resources, and resumes the caller.
    func finish(_ exchange: SocketExchange, _ outcome: ExchangeOutcome) {
        let id = ObjectIdentifier(exchange.ticket)
        guard exchanges.removeValue(forKey: id) != nil else { return }
        isJustIdle = exchanges.isEmpty
        deadlines.remove(exchange)
        leave(exchange)
        exchange.state = .finished
        let next = giveUpPlace(exchange)
        exchange.finish(outcome)
        admit(next)
        if exchange.mayShare { endOpener(exchange) }
    }

    func fail(_ exchange: SocketExchange, _ code: TransportError.Code) {
        finish(exchange, .failure(exchange.failure(code)))
    }

    /// Starts admitted exchanges.
    ///
    /// An exchange that fails to start ends at once and admits the next. With thousands waiting, this must not recurse.
    func admit(_ ids: [ObjectIdentifier]) {
        guard !ids.isEmpty else { return }
        admitted += ids
        guard admitted.count == ids.count else { return }
        var position = 0
        while position < admitted.count {
            if let next = exchanges[admitted[position]] {
                next.admission = .permit
                begin(next)
            }
            position += 1
        }
        admitted.removeAll(keepingCapacity: true)
    }

    /// Cancels an exchange; does nothing if it has ended.
    func cancel(_ ticket: ExchangeTicket) {
        if let exchange = exchange(ticket) { finish(exchange, .cancelled) }
    }

    /// Cancels every exchange.
    func cancelAll() {
        // Queued exchanges go first; otherwise they would be admitted when others end.
        let all = exchanges.values
        for exchange in all where exchange.timeline.phase == .queued { finish(exchange, .cancelled) }
        for exchange in all { finish(exchange, .cancelled) }
    }

    /// Resumes a paused exchange; does nothing if it has ended.
    func resume(_ ticket: ExchangeTicket, _ direction: TransferDirection) {
        guard let exchange = exchange(ticket) else { return }
        if direction == .sending, let error = exchange.content.error {
            var failure = exchange.failure(.connectionLost)
            failure.cause = error
            return finish(exchange, .failure(failure))
        }
        guard case .busy(let connection) = exchange.state else { return }
        connection.http.resume(exchange, sending: direction == .sending)
    }

    // MARK: Connections

    /// Keeps a connection that no exchange uses any more.
    func becameIdle(_ connection: SocketConnection) {
        let profile = connection.profile
        // The pool gives the connection up half a second before the server's timeout, so that the server doesn't close it under
        // a request.
        let patience = connection.http.keepAliveSeconds.map { Int64($0) * 1_000_000_000 - 500_000_000 }
        let idle = max(0, min(profile.maximumIdleTime, patience ?? .max))
        let (idleUntil, isForever) = reactor.now.addingReportingOverflow(idle)
        let (oldAt, isAgeless) = connection.openedAt.addingReportingOverflow(profile.maximumAge)
        let until = min(isForever ? .max : idleUntil, isAgeless ? .max : oldAt)
        guard !profile.isRetired, until > reactor.now, connectionCount <= totalConnections else {
            return connection.http.closeIdle()
        }
        pool.add(connection, to: connection.key, now: reactor.now, until: until)
        connection.isIdle = true
        connection.monitor?.reportIdle()
    }

    /// Forgets a connection that was closed.
    func closed(_ connection: SocketConnection, wasIdle: Bool) {
        connectionCount -= 1
        if wasIdle { pool.remove(connection, from: connection.key) }
        connection.monitor?.reportClosed(wasIdle: connection.isIdle)
        if connection.http.isShared { leaveShared(connection) }
    }

    private func close(idle connection: SocketConnection) { connection.http.closeIdle() }

    /// Closes the idle connections of retired profiles.
    func closeRetired() {
        for connection in pool.takeAll(where: { $0.profile.isRetired }) { close(idle: connection) }
    }

    /// Closes all idle connections.
    func closeAllIdle() { for connection in pool.takeAll(where: { _ in true }) { close(idle: connection) } }

    /// Closes the connections that have been idle for too long.
    private func closeOld() {
        guard pool.nextAge <= reactor.now else { return }
        for connection in pool.takeOld(now: reactor.now) { close(idle: connection) }
    }

    // MARK: One turn of the loop

    /// Completes a turn after the events were handled.
    func endTurn() {
        expire()
        closeOld()
        // The callers' next requests may come while this turn's frames are sent.
        resumeCallers()
        flush()
    }

    /// Sends pending output, and delivers gathered data and outcomes to readers and callers.
    func flush() {
        reactor.sendAll()
        defer { resumeCallers() }
        // A reader is woken once per turn instead of once per piece.
        guard !unflushed.isEmpty else { return }
        let list = unflushed
        unflushed.removeAll(keepingCapacity: true)
        for exchange in list {
            exchange.needsFlush = false
            exchange.flush()
        }
    }

    /// Resumes a caller at the end of the turn, or earlier if many callers wait.
    func resumeLater(_ continuation: ExchangeContinuation, _ outcome: ExchangeOutcome) {
        outcomes.append((continuation, outcome))
        if outcomes.count >= Self.outcomesAtOnce { resumeCallers() }
    }

    /// Resumes the callers of the exchanges that have ended.
    ///
    /// Resumed one at a time, each caller would wake a thread of the pool, which would sleep again before the next.
    private func resumeCallers() {
        guard !outcomes.isEmpty else { return }
        // Popping from the end moves an outcome; iterating would copy it.
        outcomes.reverse()
        while let (continuation, outcome) = outcomes.popLast() { continuation.resume(returning: outcome) }
    }

    /// Schedules a flush after a part of a body was passed to a reader that may be waiting.
    func needsFlush(_ exchange: SocketExchange) {
        guard !exchange.needsFlush else { return }
        exchange.needsFlush = true
        unflushed.append(exchange)
    }

    /// The time of the next turn if there is no event before it; `Int64.max` if no turn is needed.
    var dueAt: Int64 { min(reactor.dueAt, deadlines.first?.dueAt ?? .max, pool.nextAge) }

    /// Returns whether the last exchange has just ended, and clears the flag.
    func takeIsJustIdle() -> Bool {
        defer { isJustIdle = false }
        return isJustIdle
    }
}
#endif
