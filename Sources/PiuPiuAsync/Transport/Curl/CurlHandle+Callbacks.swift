#if os(Linux)
import CurlShim
import Glibc

/// What libcurl calls back with.
extension CurlHandle {
    /// The handle that a callback is about, and its exchange.
    static func current(_ context: UnsafeMutableRawPointer?) -> (CurlHandle, CurlExchange)? {
        guard let context else { return nil }
        // Unretained: libcurl calls back only inside a multi handle, and whoever puts a handle into one holds it.
        let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
        return handle.exchange.map { (handle, $0) }
    }

    /// Passes bytes that arrived on; libcurl takes any other count than it gave for an error.
    @inline(__always)
    static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ body: (CurlExchange, UnsafeRawBufferPointer, Int64) -> CurlExchange.ReceiveResult
    ) -> Int {
        guard count > 0 else { return 0 }
        // What arrives for an exchange that is about to be sent again is not its response.
        guard let (handle, exchange) = current(context), exchange.restart == nil else { return 0 }
        let wasReceiving = exchange.isHeadComplete
        if !wasReceiving { handle.setBusyWithHead(true) }
        switch body(exchange, UnsafeRawBufferPointer(start: bytes, count: count), handle.owner.now) {
        case .proceed: break
        case .pause: return Int(PP_CURL_WRITEFUNC_PAUSE)
        case .stop: return 0
        }
        if exchange.isHeadComplete != wasReceiving {
            // A server that answers has not left the request alone.
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

    /// Notes that a connection is being opened.
    ///
    /// - Returns: Whether it may be: not for a request that was sent before and must not be sent twice.
    static func connect(_ context: UnsafeMutableRawPointer?) -> Bool {
        guard let (handle, exchange) = current(context) else { return false }
        handle.noteRefusal(of: exchange)
        guard !exchange.timeline.hasStarted || exchange.mayBeSentAgain else {
            exchange.failure = .connectionLost
            return false
        }
        exchange.timeline.connect(now: handle.owner.now)
        handle.owner.deadlineMayHaveChanged(exchange)
        return true
    }

    /// Notes whether the server has left alone what was sent before.
    func noteRefusal(of exchange: CurlExchange) {
        guard exchange.timeline.hasStarted, !exchange.isRefused else { return }
        let isLeftAlone = exchange.stream.map { exchange.http2?.monitor.hasLeftAlone($0) ?? false } ?? false
        // The one refusal for which libcurl has words of its own, in every version.
        if isLeftAlone || errorText.contains("HTTP_1_1_REQUIRED") { exchange.noteRefusal() }
    }

    /// Notes that the request is about to be sent.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - key: The connection on which it is sent.
    /// - Returns: Whether it may be.
    func start(_ exchange: CurlExchange, on key: ConnectionTable.Key) -> Bool {
        noteRefusal(of: exchange)
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
            // What the attempt before ended with is no reason for anything that follows.
            errorBuffer[0] = 0
        }
        switch request.kind {
        case .withContent(let body) where body.count > Self.copiedBodyLimit: break
        case .withStream: break
        case .withContent(let body):
            exchange.timeline.sent(now: owner.now)
            exchange.streams?.reporter?.didSend(Int64(body.count))
        case .withoutContent, .head: exchange.timeline.sent(now: owner.now)
        }
        owner.deadlineMayHaveChanged(exchange)
        return true
    }
}
#endif
