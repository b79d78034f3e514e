#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Tracks the connections of exchanges and decides when an exchange must restart.
extension CurlMulti {
    /// Releases the exchange's connection.
    func leaveConnection(_ exchange: CurlExchange) {
        guard let connection = exchange.connection.take() else { return }
        if exchange.isReceivingPaused { poller.letGo(connection) }
        poller.release(connection)
        guard let http2 = exchange.http2 else { return }
        exchange.leaveHTTP2(exchange.handle)
        guard http2.isEmpty, http2Connections[connection] === http2 else { return }
        http2Connections[connection] = nil
        // The object is empty now, so the next connection can reuse its memory.
        spareHTTP2 = http2
    }

    /// Adds an exchange to an HTTP/2 connection.
    func joinHTTP2(_ exchange: CurlExchange, _ handle: CurlHandle, on connection: ConnectionTable.Claim) {
        let http2 = http2Connections[connection] ?? spareHTTP2.take() ?? CurlHTTP2Connection()
        http2Connections[connection] = http2
        http2.number = handle.connectionNumber
        exchange.http2 = http2
        let trace = exchange.neededTrace
        if trace == .refusals { handle.watchSending() }
        http2.add(handle)
        if let trace { exchange.trace(trace) }
    }

    /// Handles a trace event of an HTTP/2 connection, reported on a handle that uses it.
    func note(_ event: HTTP2TraceEvent, for exchange: CurlExchange) {
        switch event {
        case .refused: exchange.noteRefusal()
        case .received(let stream): exchange.stream = stream
        case .closed(let stream):
            // The frames that arrived before the trace began are unknown.
            if exchange.http2?.monitor.closed(stream) == true, exchange.tracesFrames { exchange.isCutOff = true }
        default:
            // Between two connections, libcurl reads from idle ones to check whether they are alive. Their frames are
            // traced on the same handle, but say nothing about the exchange's previous connection.
            guard let handle = exchange.handle, let http2 = exchange.http2, handle.connectionNumber == http2.number
            else { return }
            http2.monitor.note(event)
            // Otherwise libcurl would wait for a server that leaves the connection open.
            if event == .gaveUp, let connection = exchange.connection { poller.retire(connection) }
        }
    }

    /// Whether an exchange with an unshared connection must speak HTTP/2 with a target.
    func speaksOnlyHTTP2(_ target: RequestTarget) -> Bool {
        transfers.protocols[target.origin] == .http2 || settings.speaksHTTP2WithoutTLS(target)
    }

    /// Records which protocol an origin speaks, as soon as a handshake with it ends.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened the connection.
    ///   - isMultiplexed: Whether the connection speaks HTTP/2 or HTTP/3.
    ///   - hasAgreed: Whether the server chose one of the offered protocols.
    /// - Returns: Whether the exchange continues; if not, it must offer HTTP/2.
    func handshakeEnded(for exchange: CurlExchange, isMultiplexed: Bool, hasAgreed: Bool) -> Bool {
        let origin = exchange.request.target.origin
        guard settings.isExclusive(exchange.request) else {
            if exchange.offersHTTP2 { noted += gate.opened(origin: origin, isMultiplexed: isMultiplexed) }
            return true
        }
        guard settings.allowsHTTP2 else { return true }
        if exchange.offersHTTP2 {
            transfers.protocols.note(isMultiplexed ? .http2 : .http1, for: origin)
        } else if hasAgreed {
            transfers.protocols.note(.http1, for: origin)
        } else {
            // A server without ALPN speaks HTTP/1.1. A server that speaks only HTTP/2 may also choose nothing.
            return transfers.protocols[origin] == .http1
        }
        return true
    }

    /// Starts the exchanges that the gate admitted inside a libcurl call, when none may be added.
    func admitNoted() {
        for origin in poller.takeClosedShared(of: place) { gate.closed(origin: origin) }
        guard !noted.isEmpty else { return }
        let ids = noted
        noted = []
        admit(ids)
    }

    /// Lets libcurl read bytes that it took from the system ahead of time, and returns whether libcurl was called.
    ///
    /// If libcurl serves an exchange for a reason other than an event, it reads until that exchange's stream ends. Any further
    /// bytes that it took from the system stay in its TLS library. The system no longer reports them, so libcurl doesn't serve
    /// their exchanges until the connection receives more (seen with 8.23).
    ///
    /// Usually the remaining bytes are the start of a TLS record and can't be read yet. The engine therefore calls libcurl
    /// right after an exchange leaves the connection, and otherwise at growing intervals.
    func readLeftovers() -> Bool {
        var hasAsked = false
        var nextAt = Int64.max
        for (connection, http2) in http2Connections where http2.hasUnreadBytes {
            let turn = http2.readsLeftovers(now: now)
            nextAt = min(nextAt, turn.nextAt)
            guard turn.isDue else { continue }
            act(on: connection.socket, Int32(PP_CURL_CSELECT_IN))
            hasAsked = true
        }
        if nextAt < .max { timerAt = min(timerAt ?? .max, nextAt) }
        return hasAsked
    }

    /// Returns why an exchange that libcurl reports as done must restart; `nil` if it has ended.
    func restart(of exchange: CurlExchange, code: Int32) -> CurlExchange.Restart? {
        guard exchange.restarts < CurlExchange.maximumRestarts else { return nil }
        if let restart = exchange.restart {
            // Before 7.80, the request has already been sent when the other reasons are found.
            guard
                restart == .withoutExpectation || library.announcesRequests
                    || exchange.request.isIdempotent && exchange.canBeSentAgain
            else {
                return nil
            }
            return restart
        }
        if let handle = exchange.handle, code != 0, exchange.failureCause == nil, exchange.failure == nil,
            !exchange.isHeadComplete, exchange.canBeSentAgain
        {
            handle.noteRefusal(of: exchange)
            if exchange.isRefused {
                switch exchange.repetition() {
                case .goAhead: return .again
                // If a server accepts few requests at a time, it refuses all requests that wait for a new connection
                // together, except the one that opens it.
                case .onFreshConnection: return .onFreshConnection
                case .refuse: return nil
                }
            }
            let isShared = exchange.isOnSharedConnection || exchange.http2?.hasBeenShared == true
            if exchange.request.isIdempotent, exchange.timeline.starts < CurlExchange.maximumStarts,
                CurlOutcome.isConnectionError(
                    code,
                    handle.errorText,
                    isShared: isShared,
                    isHTTP3: exchange.isOnHTTP3
                )
            {
                return .afterBreak
            }
        }
        // The server speaks only HTTP/2 and reports it.
        guard code == Int32(bitPattern: PP_CURLE_SSL_CONNECT_ERROR.rawValue), settings.allowsHTTP2,
            !exchange.offersHTTP2, !exchange.request.sendsTrailers,
            exchange.request.target.isSecure, exchange.failure == nil,
            exchange.handle?.describe(code).contains("no application protocol") == true
        else { return nil }
        return .withHTTP2
    }
}
#endif
