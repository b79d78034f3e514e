#if os(Linux)
import CurlShim

/// Which connection an exchange has, what is known of it, and when an exchange has to begin on another.
extension CurlMulti {
    /// Gives the exchange's connection back.
    func leaveConnection(_ exchange: CurlExchange) {
        guard let connection = exchange.connection.take() else { return }
        poller.release(connection)
        guard let http2 = exchange.http2 else { return }
        exchange.leaveHTTP2(exchange.handle)
        guard http2.isEmpty, http2Connections[connection] === http2 else { return }
        http2Connections[connection] = nil
        // Nothing is left in it but memory, which the next one can use.
        spareHTTP2 = http2
    }

    /// Adds an exchange to those of an HTTP/2 connection.
    func joinHTTP2(_ exchange: CurlExchange, _ handle: CurlHandle, on connection: ConnectionTable.Claim) {
        let http2 = http2Connections[connection] ?? spareHTTP2.take() ?? HTTP2Connection()
        http2Connections[connection] = http2
        exchange.http2 = http2
        let trace = exchange.neededTrace
        if trace == .refusals { handle.watchSending() }
        http2.add(handle)
        if let trace { exchange.trace(trace) }
    }

    /// Notes what libcurl tells of an HTTP/2 connection, on a handle that uses it.
    func note(_ event: HTTP2TraceEvent, for exchange: CurlExchange) {
        switch event {
        case .refused: exchange.noteRefusal()
        case .received(let stream): exchange.stream = stream
        case .closed(let stream): if exchange.http2?.monitor.closed(stream) == true { exchange.isCutOff = true }
        default:
            // Between two connections, libcurl reads from idle ones, to see whether they are alive. Their frames are traced
            // on the same handle, and say nothing about the connection that the exchange had.
            guard let handle = exchange.handle, pp_tls_protocol(handle.easy) == 1 else { return }
            exchange.http2?.monitor.note(event)
            // libcurl would wait for a server that leaves the connection open.
            if event == .gaveUp, let connection = exchange.connection { poller.retire(connection) }
        }
    }

    /// Notes what an origin speaks, as soon as a handshake with it has ended.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened the connection.
    ///   - isMultiplexed: Whether the server chose HTTP/2.
    ///   - hasAgreed: Whether the server chose anything of what it was offered.
    /// - Returns: Whether the exchange goes on; if not, it has to offer HTTP/2.
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
            // A server without ALPN speaks HTTP/1.1. One that speaks nothing but HTTP/2 may choose nothing, too.
            return transfers.protocols[origin] == .http1
        }
        return true
    }

    /// Admits those whose turn came while libcurl was at work, when it must not be given new ones.
    func admitNoted() {
        for origin in poller.takeClosedShared(of: place) { gate.closed(origin: origin) }
        guard !noted.isEmpty else { return }
        let ids = noted
        noted = []
        admit(ids)
    }

    /// Lets libcurl read what it has taken from the system ahead of time.
    ///
    /// An exchange that libcurl serves for another reason than an event reads until its own stream ends. What libcurl took
    /// from the system together with that is left in its TLS library, and the system tells of no bytes, so that libcurl
    /// serves nobody for them until the connection receives more (seen with 8.23).
    ///
    /// Mostly, what is left is the beginning of a record, and there is nothing to be read. So libcurl is asked at once after
    /// an exchange has left the connection, and otherwise now and then.
    ///
    /// - Returns: Whether libcurl was asked.
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

    /// Why an exchange that libcurl reports as done has to begin anew; `nil` if it has ended.
    func restart(of exchange: CurlExchange, code: Int32) -> CurlExchange.Restart? {
        guard exchange.restarts < CurlExchange.maximumRestarts else { return nil }
        if let restart = exchange.restart {
            // Before 7.80, the request was sent when the other reasons are found.
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
            // libcurl gives up after five times, whatever the reason.
            let gaveUp = exchange.offersHTTP2 && handle.errorText.contains("before giving up")
            if exchange.isRefused || gaveUp && exchange.request.isIdempotent {
                guard exchange.timeline.starts < CurlExchange.maximumRefusals else { return nil }
                guard gaveUp else { return .again }
                // Where a server takes few requests at a time, those that wait for a new connection together are refused
                // together, but for the one that opens it. A server that refuses that one too wants none.
                return exchange.needsFreshConnection ? nil : .onFreshConnection
            }
            let isShared = exchange.isOnSharedConnection || exchange.http2?.hasBeenShared == true
            if exchange.request.isIdempotent, exchange.brokenConnections < CurlExchange.maximumBrokenConnections,
                CurlOutcome.isConnectionError(code, handle.errorText, isShared: isShared)
            {
                return .afterBreak
            }
        }
        // A server that speaks nothing but HTTP/2 and says so.
        guard code == Int32(bitPattern: PP_CURLE_SSL_CONNECT_ERROR.rawValue), settings.allowsHTTP2,
            !exchange.offersHTTP2,
            exchange.request.target.isSecure, exchange.failure == nil,
            exchange.handle?.describe(code).contains("no application protocol") == true
        else { return nil }
        return .withHTTP2
    }
}
#endif
