#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync
import PiuPiuEngine

/// The callbacks of libcurl.
extension CurlHandle {
    /// Returns the handle of a callback, with its exchange.
    static func current(_ context: UnsafeMutableRawPointer?) -> (CurlHandle, CurlExchange)? {
        guard let context else { return nil }
        // Unretained: libcurl calls back only inside a multi handle, and the code that adds a handle retains it.
        let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
        return handle.exchange.map { (handle, $0) }
    }

    /// Passes received bytes on; libcurl treats any count other than its own as an error.
    @inline(__always)
    static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ body: (CurlExchange, UnsafeRawBufferPointer, Int64) -> ReceiveResult
    ) -> Int {
        guard count > 0 else { return 0 }
        // Bytes received for an exchange that is about to restart are not its response.
        guard let (handle, exchange) = current(context), exchange.restart == nil else { return 0 }
        if handle.keepTunnelHead(UnsafeRawBufferPointer(start: bytes, count: count)) { return count }
        let wasReceiving = exchange.isHeadComplete
        if !wasReceiving { handle.setBusyWithHead(true) }
        switch body(exchange, UnsafeRawBufferPointer(start: bytes, count: count), handle.owner.now) {
        case .proceed: break
        case .pause:
            if let connection = exchange.connection { handle.owner.poller.hold(connection) }
            return Int(PP_CURL_WRITEFUNC_PAUSE)
        case .stop: return 0
        }
        if exchange.isHeadComplete != wasReceiving {
            // A server that responds has processed the request.
            if exchange.awaitsRefusal { exchange.endTrace() }
            handle.setBusyWithHead(false)
            handle.owner.deadlineMayHaveChanged(exchange)
            if exchange.isAnsweredEarly { handle.owner.answeredEarly(exchange) }
            if exchange.connection == nil, exchange.isHeadComplete { handle.closeUnlessMultiplexed() }
            if exchange.hasOpenEnd { exchange.trace(.frames) }
            if exchange.needsCloseNotify { handle.watchConnection() }
        }
        if exchange.isAnsweredEarly, exchange.isResponseComplete { handle.owner.answeredWhole(exchange) }
        if exchange.streams?.inbound != nil { handle.owner.needsFlush(exchange) }
        return count
    }

    /// Records that libcurl opens a connection, and returns whether it may; it may not if the request was already sent and must
    /// not be sent twice.
    static func connect(_ context: UnsafeMutableRawPointer?) -> Bool {
        guard let (handle, exchange) = current(context) else { return false }
        handle.noteRefusal(of: exchange)
        guard !exchange.timeline.hasStarted || exchange.mayBeSentAgain else {
            exchange.failure = .connectionLost
            return false
        }
        handle.isStarted = false
        exchange.timeline.connect(now: handle.owner.now)
        handle.owner.deadlineMayHaveChanged(exchange)
        return true
    }

    /// Keeps a line of the head with which a proxy answers `CONNECT`, and returns whether the line comes from the proxy.
    ///
    /// No byte of the server can arrive before the request is about to be sent.
    private func keepTunnelHead(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isStarted, settings.proxy?.isHTTP == true else { return false }
        if line.starts(with: "HTTP/".utf8) { tunnelHead = [] }
        if tunnelHead.count + line.count <= Self.maximumTunnelHead, line.count > 2 {
            tunnelHead.append(contentsOf: line)
        }
        return true
    }

    /// Records whether the server left an earlier attempt unprocessed.
    func noteRefusal(of exchange: CurlExchange) {
        guard exchange.timeline.hasStarted, !exchange.isRefused else { return }
        let text = errorText
        let stream = exchange.stream ?? HTTP2TraceEvent.stream(ofError: text)
        let isLeftAlone = stream.map { exchange.http2?.monitor.hasLeftAlone($0) ?? false } ?? false
        // This is the only refusal for which every version of libcurl has its own message.
        if isLeftAlone || text.contains("HTTP_1_1_REQUIRED") { exchange.noteRefusal(isLeftAlone: isLeftAlone) }
    }

    /// Records that the request is about to be sent on a connection, and returns whether it may be sent.
    func start(_ exchange: CurlExchange, on key: ConnectionTable.Key) -> Bool {
        noteRefusal(of: exchange)
        switch exchange.repetition() {
        case .goAhead: break
        case .onFreshConnection:
            exchange.restart = .onFreshConnection
            return false
        case .refuse:
            exchange.failure = exchange.isRefused ? .http2 : .connectionLost
            return false
        }
        guard takeConnection(key, for: exchange) else { return false }
        guard !exchange.timeline.isOver(now: owner.now) else {
            exchange.failure = .timeout(.total)
            return false
        }
        let request = exchange.request
        switch exchange.timeline.start(now: owner.now, mayRepeat: exchange.mayBeSentAgain) {
        case .refuse:
            exchange.failure = .connectionLost
            return false
        case .proceed:
            guard exchange.begin(now: owner.now) else { return false }
            if let observed = exchange.observed { observed.connectionTaken(observedConnection(of: exchange)) }
            isStarted = true
            // The error of the previous attempt does not explain later failures.
            errorBuffer[0] = 0
            exchange.forbiddenAddress = nil
        }
        switch request.kind {
        case .withContent(let body) where !exchange.isCopied(body): break
        case .withStream: break
        case .withContent(let body):
            if let observed = exchange.observed, !body.isEmpty { observed.report(.bodySent(body.count)) }
            if !body.isEmpty { exchange.timeline.contentMoved(now: owner.now) }
            exchange.noteSent(now: owner.now)
            exchange.streams?.reporter?.didSend(Int64(body.count))
        case .withoutContent, .head: exchange.noteSent(now: owner.now)
        }
        owner.deadlineMayHaveChanged(exchange)
        return true
    }
}
#endif
