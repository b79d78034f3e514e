#if os(Linux)
import CurlShim
import Glibc

/// An engine of an event loop: libcurl's multi handle, the connection limits and the time limits.
///
/// It belongs to one thread, the event loop's, and knows nothing of threads.
///
/// An exchange ends in ``finish(_:_:)`` and nowhere else. What leads there: libcurl reports it done, a limit is reached,
/// it is cancelled, or everything is. Whoever comes second finds it gone from `exchanges`.
final class CurlMulti {
    /// The receive buffer of an exchange whose body is passed on as it came; larger ones gain nothing.
    private static let largeReceiveBuffer = 128 * 1024

    let poller: Poller
    /// The present as it was last noted, in nanoseconds.
    private(set) var now: Int64 = 0

    /// Its place among the engines of its loop.
    let place: Int
    /// Idle handles beyond this number are freed.
    private let pooledHandles: Int
    /// What the receive buffers of all exchanges may take together.
    private let receiveBufferBudget: Int
    private let multi: OpaquePointer
    let settings: CurlHandle.Settings
    let library: CurlLibrary
    var gate: ConnectionGate<ObjectIdentifier>
    var deadlines = DeadlineHeap<CurlExchange>()
    private(set) var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    private var idleHandles: [CurlHandle] = []
    /// Handles whose exchange has ended in the middle of a name lookup that libcurl cannot give up.
    private var abandoned: [CurlHandle] = []
    /// The HTTP/2 connections that exchanges use.
    var http2Connections: [ConnectionTable.Claim: HTTP2Connection] = [:]
    /// One that is not used any more.
    var spareHTTP2: HTTP2Connection?
    /// Exchanges that were admitted but not started.
    private var admitted: [ObjectIdentifier] = []
    /// Exchanges that were admitted while libcurl was at work.
    var noted: [ObjectIdentifier] = []
    /// What transfers need to be looked after.
    var transfers = Transfers()
    /// When libcurl wants to be called without an event.
    var timerAt: Int64?

    /// How many requests libcurl was given since it last had its turn, which may go out on shared connections.
    private var unwritten = 0
    private var isDestroyed = false
    /// Whether the last exchange has just ended.
    private var isJustIdle = false
    /// Whether there were events in this turn.
    private var hasNews = false

    /// How many exchanges there are, waiting ones included.
    var exchangeCount: Int { exchanges.count }

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - poller: The sockets of the loop.
    ///   - place: Its place among the engines of the loop.
    ///   - count: How many engines the loop has.
    ///   - limits: Its share of the connections.
    ///   - settings: How to connect.
    ///   - library: What libcurl can.
    /// - Throws: ``TransportError`` with the code `outOfResources`.
    init(
        poller: Poller,
        place: Int,
        of count: Int,
        limits: ConnectionLimits,
        settings: CurlHandle.Settings,
        library: CurlLibrary
    ) throws {
        self.poller = poller
        self.place = place
        pooledHandles = max(32, 256 / count)
        receiveBufferBudget = (4 << 20) / count
        guard let multi = pp_multi_init() else { throw TransportError(.outOfResources) }
        self.multi = multi
        self.settings = settings
        self.library = library
        gate = ConnectionGate(limits)
        now = Self.clock()
        // Unretained: libcurl calls back only while the multi handle lives, and `destroy()` frees that before this goes.
        let context = Unmanaged.passUnretained(self).toOpaque()
        pp_multi_set_pointer(multi, PP_CURLMOPT_SOCKETDATA, context)
        pp_multi_set_socket_callback(multi) { easy, socket, what, context, _ in
            guard let context else { return 0 }
            Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().watch(socket, what, for: easy)
            return 0
        }
        pp_multi_set_pointer(multi, PP_CURLMOPT_TIMERDATA, context)
        pp_multi_set_timer_callback(multi) { _, milliseconds, context in
            guard let context else { return 0 }
            Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds)
            return 0
        }
        pp_multi_set_long(multi, PP_CURLMOPT_PIPELINING, Int(PP_CURLPIPE_MULTIPLEX))
        // The gate holds requests back before libcurl has to; these are for HTTP/2, where it cannot know.
        // It keeps them with 32 bits.
        func clamped(_ limit: Int) -> Int { max(1, min(limit, Int(Int32.max) / 2)) }
        let perHost = clamped(limits.perHost) + clamped(limits.streamsPerHost)
        pp_multi_set_long(multi, PP_CURLMOPT_MAX_HOST_CONNECTIONS, perHost)
        pp_multi_set_long(multi, PP_CURLMOPT_MAX_TOTAL_CONNECTIONS, clamped(limits.total))
        pp_multi_set_long(multi, PP_CURLMOPT_MAXCONNECTS, clamped(limits.total))
    }

    deinit {
        // Where its thread could not be started, nobody else did.
        if !isDestroyed { destroy() }
    }

    /// Frees everything.
    ///
    /// No exchange may be left.
    func destroy() {
        isDestroyed = true
        for handle in abandoned { discard(handle) }
        abandoned = []
        for handle in idleHandles { handle.destroy() }
        idleHandles = []
        pp_multi_cleanup(multi)
    }

    // MARK: One turn of the loop

    /// Lets libcurl read from and write to a socket that is ready.
    func take(_ event: Poller.Event) {
        hasNews = true
        act(on: event.socket, event.selection)
    }

    /// Has libcurl do what a socket is ready for, or what it is late with.
    func act(on socket: Int32, _ selection: Int32) {
        var running: Int32 = 0
        pp_multi_socket_action(multi, socket, selection, &running)
    }

    /// Does what is left to do after the sockets had their turn.
    func endTurn() {
        if hasNews { nudgeAnswered() }
        hasNews = false
        serve()
        expire()
    }

    /// Tells once whether the last exchange has just ended.
    func takeIsJustIdle() -> Bool {
        defer { isJustIdle = false }
        return isJustIdle
    }

    /// Lets libcurl go on with what is due, and ends what is done.
    ///
    /// What is late is not ended here: that is for after the sockets were looked at, where its bytes may be waiting.
    func serve() {
        serveTimers()
        serveTransfers()
    }

    private func serveTimers() {
        admitNoted()
        finishDone()
        // Finishing an exchange may admit others, for which libcurl sets its timer to now. A few rounds are enough;
        // whatever is still due then comes after the sockets had their turn.
        for _ in 0..<4 {
            let isDue = serveTimer()
            let hasAsked = readLeftovers()
            guard isDue || hasAsked else { return }
            // What came may be the answer to a body that is held up.
            hasNews = hasNews || hasAsked
            admitNoted()
            finishDone()
        }
    }

    /// Lets libcurl do what its timer is due for.
    ///
    /// - Returns: Whether it is due.
    private func serveTimer() -> Bool {
        guard let due = timerAt, due <= now else { return false }
        timerAt = nil
        // Where there are more connections than requests, most of them would be held up for nothing.
        if unwritten > 1, unwritten >= poller.sharedCount {
            poller.writingTogether { act(on: Int32(PP_CURL_SOCKET_TIMEOUT), 0) }
        } else {
            act(on: Int32(PP_CURL_SOCKET_TIMEOUT), 0)
        }
        unwritten = 0
        return true
    }

    /// When it wants its next turn without an event; `Int64.max` where it does not.
    var dueAt: Int64 { hasNews ? 0 : min(timerAt ?? .max, deadlines.first?.dueAt ?? .max) }

    private func setTimer(_ milliseconds: Int) {
        timerAt = milliseconds < 0 ? nil : now + Int64(min(milliseconds, 1 << 40)) * 1_000_000
    }

    /// Notes the present, before what is done with it.
    func noteTime(_ now: Int64) {
        self.now = now
    }

    static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: The life of an exchange

    /// Begins an exchange, or queues it.
    func start(_ exchange: CurlExchange) {
        let id = ObjectIdentifier(exchange.ticket)
        exchanges[id] = exchange
        deadlineMayHaveChanged(exchange)
        guard !exchange.timeline.isOver(now: now) else { return finishLate(exchange, .total) }
        let isExclusive = settings.isExclusive(exchange.request)
        if gate.request(id, origin: exchange.request.target.origin, isExclusive: isExclusive) { begin(exchange) }
    }

    private func begin(_ exchange: CurlExchange) {
        exchange.timeline.admit()
        // It may have waited until its end.
        guard !exchange.timeline.isOver(now: now) else { return finishLate(exchange, .total) }
        guard let handle = idleHandles.popLast() ?? CurlHandle(owner: self, settings: settings, library: library)
        else {
            finish(exchange, .failure(ExchangeFailure(code: .outOfResources)))
            return
        }
        exchange.handle = handle
        if settings.isExclusive(exchange.request), transfers.protocols[exchange.request.target.origin] == .http2 {
            exchange.needsHTTP2 = true
        }
        guard handle.configure(for: exchange, receiveBuffer: receiveBuffer(for: exchange)) else {
            finish(
                exchange,
                .failure(ExchangeFailure(code: .invalidRequest, underlyingDescription: "libcurl refused it"))
            )
            return
        }
        let code = pp_multi_add_handle(multi, handle.easy)
        if exchange.offersHTTP2 { unwritten += 1 }
        if code != 0 {
            finish(exchange, .failure(ExchangeFailure(code: .outOfResources, underlyingDescription: "multi \(code)")))
        }
    }

    /// libcurl has a buffer for each exchange: large where there are few, small where there are thousands.
    private func receiveBuffer(for exchange: CurlExchange) -> Int {
        var size = 16 * 1024
        // Only what arrives is written to it, so that a large one costs little more than a small one.
        if library.needsLargeBufferForHTTP2, settings.offersHTTP2(exchange) { return Self.largeReceiveBuffer }
        if exchange.streams?.inbound != nil { size = Self.largeReceiveBuffer }
        while size > 1024, size * exchanges.count > receiveBufferBudget { size /= 2 }
        return size
    }

    /// Cancels an exchange; does nothing where it has ended.
    func cancel(_ ticket: ExchangeTicket) {
        guard let exchange = exchanges[ObjectIdentifier(ticket)] else { return }
        finish(exchange, .cancelled)
    }

    /// Cancels every exchange.
    func cancelAll() {
        // Those that wait go first, or they would be admitted when others end.
        let all = exchanges.values
        for exchange in all where exchange.handle == nil { finish(exchange, .cancelled) }
        for exchange in all where exchanges[ObjectIdentifier(exchange.ticket)] != nil { finish(exchange, .cancelled) }
    }

    /// Whose libcurl handle it is; `nil` for those that libcurl makes for itself.
    static func handle(of easy: OpaquePointer) -> CurlHandle? {
        var context: UnsafeMutableRawPointer?
        pp_easy_get_pointer(easy, PP_CURLINFO_PRIVATE, &context)
        // Unretained: in libcurl only while it is an exchange's or one of the abandoned, both of which hold it, or while
        // whoever takes it out does.
        return context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private func finishDone() {
        var code: Int32 = 0
        while let easy = pp_multi_next_done(multi, &code) {
            guard let handle = Self.handle(of: easy) else { continue }
            handle.isResolving = false
            if let exchange = handle.exchange {
                // Those that share the connection would not be told.
                if code == Int32(bitPattern: PP_CURLE_HTTP2.rawValue), exchange.http2 != nil,
                    let connection = exchange.connection
                {
                    poller.retire(connection)
                }
                if let restart = restart(of: exchange, code: code) {
                    begin(exchange, anew: restart)
                } else {
                    finish(exchange, CurlOutcome.outcome(of: exchange, code: code))
                }
            } else {
                abandoned.removeAll { $0 === handle }
                discard(handle)
            }
        }
    }

    /// The one way out: takes the exchange from everywhere, gives its connection on, and tells the caller.
    func finish(_ exchange: CurlExchange, _ outcome: ExchangeOutcome) {
        let id = ObjectIdentifier(exchange.ticket)
        guard exchanges.removeValue(forKey: id) != nil else { return }
        isJustIdle = exchanges.isEmpty
        deadlines.remove(exchange)
        if !transfers.answeredEarly.isEmpty { transfers.answeredEarly.removeAll { $0 === exchange } }
        let origin = exchange.request.target.origin
        let isExclusive = settings.isExclusive(exchange.request)
        var admitted: [ObjectIdentifier] = []
        if let handle = exchange.handle {
            let isMultiplexed = CurlOutcome.isMultiplexed(handle, exchange)
            if exchange.mustNotShareConnection, let connection = exchange.connection { poller.retire(connection) }
            leaveConnection(exchange)
            exchange.handle = nil
            handle.exchange = nil
            // libcurl 7 forgets to free what it keeps for an exchange that is held up. Without an exchange, nobody takes it.
            if exchange.isReceivingPaused { _ = pp_easy_pause(handle.easy, 0) }
            release(handle, of: exchange, after: outcome)
            admitted = gate.release(origin: origin, isMultiplexed: isMultiplexed, isExclusive: isExclusive)
        } else if exchange.timeline.phase == .queued {
            gate.cancel(id, origin: origin)
        } else {
            admitted = gate.release(origin: origin, isExclusive: isExclusive)
        }
        exchange.finish(outcome)
        admit(admitted)
    }

    /// Begins an exchange anew that was not sent, or that the server has not processed.
    private func begin(_ exchange: CurlExchange, anew restart: CurlExchange.Restart) {
        leaveConnection(exchange)
        if let handle = exchange.handle.take() {
            handle.exchange = nil
            discard(handle)
        }
        exchange.prepare(for: restart, now: now)
        deadlineMayHaveChanged(exchange)
        begin(exchange)
    }

    /// Begins what may go on.
    ///
    /// One that cannot be begun ends at once and admits the next, so that this must not recurse: thousands may wait.
    func admit(_ ids: [ObjectIdentifier]) {
        guard !ids.isEmpty else { return }
        admitted += ids
        guard admitted.count == ids.count else { return }
        var position = 0
        while position < admitted.count {
            if let next = exchanges[admitted[position]] { begin(next) }
            position += 1
        }
        admitted.removeAll(keepingCapacity: true)
    }

    /// Takes a handle from libcurl and keeps it for another exchange, where that is possible.
    private func release(_ handle: CurlHandle, of exchange: CurlExchange, after outcome: ExchangeOutcome) {
        guard !handle.isResolving || library.abandonsLookups else {
            // libcurl would wait here until the system's resolver is done. Without an exchange the handle can open no
            // socket, so that libcurl reports it done when the lookup is.
            abandoned.append(handle)
            return
        }
        // libcurl counts in the handle how often it tried again, and never forgets; after five times it gives up.
        guard exchange.timeline.starts <= 1, idleHandles.count < pooledHandles else { return discard(handle) }
        // libcurl may keep what it had of a line of the head, and put it in front of the next exchange's (seen with 8.23).
        guard case .response = outcome else { return discard(handle) }
        // It would keep its large buffer for ever.
        if case .withStream = exchange.request.kind { return discard(handle) }
        // For an unfinished HTTP/1.1 exchange this closes the connection, for an HTTP/2 one it resets the stream.
        pp_multi_remove_handle(multi, handle.easy)
        if library.reusesHandles {
            handle.forget(exchange)
        } else if !handle.renew() {
            return handle.destroy()
        }
        idleHandles.append(handle)
    }

    private func discard(_ handle: CurlHandle) {
        pp_multi_remove_handle(multi, handle.easy)
        handle.destroy()
    }
}
#endif
