#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync
import PiuPiuEngine

/// One engine of an event loop: libcurl's multi handle, the connection limits and the time limits.
///
/// It is used on the event loop's thread only and contains no synchronization.
///
/// Every exchange ends in ``finish(_:_:)``: when libcurl reports it done, when it reaches a limit, when it is
/// cancelled, or when everything is cancelled. The first of these removes it from `exchanges`; the others then do
/// nothing.
final class CurlMulti {
    /// The receive buffer size for streamed bodies; larger buffers gain nothing.
    private static let largeReceiveBuffer = 128 * 1024
    /// The receive buffer size for buffered bodies, if the last ones were larger than it.
    private static let bodyReceiveBuffer = 256 * 1024

    let poller: Poller
    /// The current time as last recorded, in nanoseconds.
    private(set) var now: Int64 = 0

    /// The index of this engine in its loop.
    let place: Int
    /// The maximum number of idle handles; handles beyond it are freed.
    let pooledHandles: Int
    /// The memory budget for the receive buffers of all exchanges, in bytes.
    private let receiveBufferBudget: Int
    let multi: OpaquePointer
    let settings: CurlHandle.Settings
    let library: CurlLibrary
    var gate: ConnectionGate
    var deadlines = DeadlineHeap<CurlExchange>()
    private(set) var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    var idleHandles: [CurlHandle] = []
    /// Handles whose exchange ended during a name lookup that libcurl cannot abort.
    var abandoned: [CurlHandle] = []
    /// The HTTP/2 connections that exchanges use.
    var http2Connections: [ConnectionTable.Claim: CurlHTTP2Connection] = [:]
    /// An unused HTTP/2 connection object, kept for reuse.
    var spareHTTP2: CurlHTTP2Connection?
    /// Exchanges that were admitted but not started.
    private var admitted: [ObjectIdentifier] = []
    /// Exchanges that were admitted inside a libcurl call.
    var noted: [ObjectIdentifier] = []
    /// The state of streaming transfers.
    var transfers = Transfers()
    /// When libcurl's timer fires, in nanoseconds; `nil` if no timer is set.
    var timerAt: Int64?

    /// The number of requests added since libcurl's last timer call that may use shared connections.
    private var unwritten = 0
    private var isDestroyed = false
    /// Whether the last exchange has just ended.
    private var isJustIdle = false
    /// The mean size of the last buffered bodies, in bytes.
    private var usualBody = 0
    /// Whether this turn had events.
    private var hasNews = false

    /// The number of exchanges, including queued ones.
    var exchangeCount: Int { exchanges.count }

    /// Whether destroying the engine would neither cut anything short nor block.
    var isIdle: Bool { exchanges.isEmpty && abandoned.isEmpty }

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - poller: The loop's poller.
    ///   - place: The engine's index in the loop.
    ///   - count: The number of engines in the loop.
    ///   - limits: This engine's share of the connection limits.
    ///   - settings: The settings of all handles.
    ///   - library: The libcurl of this process.
    /// - Throws: `TransportError` with the code `outOfResources`.
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
        receiveBufferBudget = (8 << 20) / count
        guard let multi = pp_multi_init() else { throw TransportError(.outOfResources) }
        self.multi = multi
        self.settings = settings
        self.library = library
        gate = ConnectionGate(limits)
        now = Reactor.clock()
        // Unretained: libcurl calls back only while the multi handle exists, and `destroy()` frees it before `self`
        // goes away.
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
        // The gate normally holds requests back before libcurl has to. These limits are for HTTP/2, where the gate cannot know
        // the number of connections. libcurl stores them in 32 bits.
        func clamped(_ limit: Int) -> Int { max(1, min(limit, Int(Int32.max) / 2)) }
        let perHost = clamped(limits.perHost) + clamped(limits.streamsPerHost)
        pp_multi_set_long(multi, PP_CURLMOPT_MAX_HOST_CONNECTIONS, perHost)
        pp_multi_set_long(multi, PP_CURLMOPT_MAX_TOTAL_CONNECTIONS, clamped(limits.total))
        pp_multi_set_long(multi, PP_CURLMOPT_MAXCONNECTS, clamped(limits.total))
    }

    deinit {
        // If the loop's thread could not be started, `destroy()` has not been called.
        if !isDestroyed { destroy() }
    }

    /// Frees all handles and the multi handle.
    ///
    /// There must be no exchanges left.
    func destroy() {
        isDestroyed = true
        for handle in abandoned { discard(handle) }
        abandoned = []
        for handle in idleHandles { handle.destroy() }
        idleHandles = []
        pp_multi_cleanup(multi)
        // Another engine may get this one's index.
        _ = poller.takeClosedShared(of: place)
    }

    // MARK: One turn of the loop

    /// Lets libcurl read from and write to a socket that is ready.
    func take(_ event: Poller.Event) {
        hasNews = true
        act(on: event.socket, event.selection)
    }

    /// Tells libcurl that a socket is ready, or that a timeout is due.
    func act(on socket: Int32, _ selection: Int32) {
        var running: Int32 = 0
        pp_multi_socket_action(multi, socket, selection, &running)
    }

    /// Completes a turn after the socket events are processed.
    func endTurn() {
        if hasNews { nudgeAnswered() }
        hasNews = false
        serve()
        expire()
    }

    /// Returns whether the last exchange has just ended, and clears the flag.
    func takeIsJustIdle() -> Bool {
        defer { isJustIdle = false }
        return isJustIdle
    }

    /// Runs libcurl's due timers and finishes exchanges that are done.
    ///
    /// Expired exchanges are not finished here: their bytes may be waiting on sockets that are polled first.
    func serve() {
        serveTimers()
        serveTransfers()
    }

    private func serveTimers() {
        admitNoted()
        finishDone()
        // Finishing an exchange may admit others, for which libcurl sets its timer to now. A few rounds are enough; the
        // remaining work runs after the sockets are polled.
        for _ in 0..<4 {
            let isDue = serveTimer()
            let hasAsked = readLeftovers()
            guard isDue || hasAsked else { return }
            // The bytes read may be the response to a paused upload.
            hasNews = hasNews || hasAsked
            admitNoted()
            finishDone()
        }
    }

    /// Calls libcurl if its timer is due, and returns whether it was.
    private func serveTimer() -> Bool {
        guard let due = timerAt, due <= now else { return false }
        timerAt = nil
        // With more shared connections than requests, corking would delay most connections for nothing.
        if unwritten > 1, unwritten >= poller.sharedCount {
            poller.writingTogether { act(on: Int32(PP_CURL_SOCKET_TIMEOUT), 0) }
        } else {
            act(on: Int32(PP_CURL_SOCKET_TIMEOUT), 0)
        }
        unwritten = 0
        return true
    }

    /// When the engine needs its next turn without an event; `Int64.max` if it needs none.
    var dueAt: Int64 { hasNews ? 0 : min(timerAt ?? .max, deadlines.first?.dueAt ?? .max) }

    private func setTimer(_ milliseconds: Int) {
        timerAt = milliseconds < 0 ? nil : now + Int64(min(milliseconds, 1 << 40)) * 1_000_000
    }

    /// Records the current time for the work that follows.
    func noteTime(_ now: Int64) {
        self.now = now
    }

    // MARK: The life of an exchange

    /// Starts an exchange, or queues it.
    func start(_ exchange: CurlExchange) {
        let id = ObjectIdentifier(exchange.ticket)
        exchanges[id] = exchange
        deadlineMayHaveChanged(exchange)
        guard !exchange.timeline.isOver(now: now) else { return finishLate(exchange, .total) }
        let isExclusive = settings.isExclusive(exchange.request)
        if gate.request(id, origin: exchange.request.target.origin, isExclusive: isExclusive) {
            begin(exchange)
        } else {
            exchange.observed?.report(.queued)
        }
    }

    private func begin(_ exchange: CurlExchange) {
        exchange.timeline.admit()
        // The total deadline may have passed while it waited.
        guard !exchange.timeline.isOver(now: now) else { return finishLate(exchange, .total) }
        guard let handle = idleHandles.popLast() ?? CurlHandle(owner: self, settings: settings, library: library)
        else {
            finish(exchange, .failure(ExchangeFailure(.outOfResources)))
            return
        }
        exchange.handle = handle
        if settings.isExclusive(exchange.request), !exchange.request.sendsTrailers,
            speaksOnlyHTTP2(exchange.request.target)
        {
            exchange.needsHTTP2 = true
        }
        if let refused = handle.refused ?? (exchange.rates.isEmpty || library.limitsSpeed ? nil : "speed limits") {
            let reason = "libcurl \(library.version) cannot apply \(refused)"
            return finish(exchange, .failure(ExchangeFailure(.unsupported, reason: reason)))
        }
        chooseAlternative(for: exchange)
        guard handle.configure(for: exchange, receiveBuffer: receiveBuffer(for: exchange)) else {
            finish(
                exchange,
                .failure(ExchangeFailure(.invalidRequest, underlyingDescription: "libcurl refused it"))
            )
            return
        }
        let code = pp_multi_add_handle(multi, handle.easy)
        if exchange.offersHTTP2 { unwritten += 1 }
        if code != 0 {
            finish(exchange, .failure(ExchangeFailure(.outOfResources, underlyingDescription: "multi \(code)")))
        }
    }

    /// The receive buffer size for an exchange: large with few exchanges, small with thousands.
    private func receiveBuffer(for exchange: CurlExchange) -> Int {
        var size = 16 * 1024
        // Only received bytes touch the buffer's memory, so a large buffer costs little more than a small one.
        if library.needsLargeBufferForHTTP2, settings.offersHTTP2(exchange) { return Self.largeReceiveBuffer }
        if exchange.streams?.inbound != nil {
            size = Self.largeReceiveBuffer
        } else if usualBody > Self.bodyReceiveBuffer {
            size = Self.bodyReceiveBuffer
        }
        // Bytes that are read at once count as received within one second.
        if exchange.rates.receiving > 0 { size = max(1024, min(size, Int(clamping: exchange.rates.receiving))) }
        while size > 1024, size * exchanges.count > receiveBufferBudget { size /= 2 }
        return size
    }

    /// Cancels an exchange; does nothing if it has ended.
    func cancel(_ ticket: ExchangeTicket) {
        guard let exchange = exchanges[ObjectIdentifier(ticket)] else { return }
        finish(exchange, .cancelled)
    }

    /// Cancels every exchange.
    func cancelAll() {
        // Queued exchanges go first; otherwise they would be admitted when others end.
        let all = exchanges.values
        for exchange in all where exchange.handle == nil { finish(exchange, .cancelled) }
        for exchange in all where exchanges[ObjectIdentifier(exchange.ticket)] != nil { finish(exchange, .cancelled) }
    }

    private func finishDone() {
        var code: Int32 = 0
        while let easy = pp_multi_next_done(multi, &code) {
            guard let handle = Self.handle(of: easy) else { continue }
            handle.isResolving = false
            if let exchange = handle.exchange {
                // libcurl doesn't report this error to the other exchanges on the connection.
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

    /// Ends an exchange: removes it, releases its connection, and resumes the caller.
    func finish(_ exchange: CurlExchange, _ outcome: ExchangeOutcome) {
        let id = ObjectIdentifier(exchange.ticket)
        guard exchanges.removeValue(forKey: id) != nil else { return }
        isJustIdle = exchanges.isEmpty
        deadlines.remove(exchange)
        if !transfers.answeredEarly.isEmpty { transfers.answeredEarly.removeAll { $0 === exchange } }
        attemptEnded(of: exchange, isCancelled: outcome.isCancelled)
        let origin = exchange.request.target.origin
        let isExclusive = settings.isExclusive(exchange.request)
        var admitted: [ObjectIdentifier] = []
        if case .response(_, _, let body, _, _) = outcome { usualBody += ((body?.count ?? 0) - usualBody) / 4 }
        if let handle = exchange.handle {
            if let observed = exchange.observed { measure(observed, of: exchange, outcome) }
            let isMultiplexed = CurlOutcome.isMultiplexed(handle, exchange)
            if exchange.mustNotShareConnection, let connection = exchange.connection { poller.retire(connection) }
            leaveConnection(exchange)
            exchange.handle = nil
            handle.exchange = nil
            // libcurl 7 leaks the bytes it keeps for a paused exchange. With no exchange set, the callback discards
            // them.
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

    /// Restarts an exchange that was not sent, or that the server has not processed.
    private func begin(_ exchange: CurlExchange, anew restart: CurlExchange.Restart) {
        attemptEnded(of: exchange)
        leaveConnection(exchange)
        if let handle = exchange.handle.take() {
            handle.exchange = nil
            discard(handle)
        }
        exchange.prepare(for: restart, now: now)
        deadlineMayHaveChanged(exchange)
        begin(exchange)
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
            if let next = exchanges[admitted[position]] { begin(next) }
            position += 1
        }
        admitted.removeAll(keepingCapacity: true)
    }
}
#endif
