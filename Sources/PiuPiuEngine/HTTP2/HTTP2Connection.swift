#if os(Linux)
import CShims
import Glibc

/// An HTTP/2 connection (RFC 9113), which carries many exchanges at a time.
///
///     open ── GOAWAY, too old, or silent ──▶ draining ── its last stream ends ──▶ closed
///       └── a fault, or the end of the connection ──▶ closed: every stream ends, complete or with a failure
///
/// ``HTTP2Session`` frames the messages, and ``HTTP2Stream`` tracks the progress of each exchange. nghttp2's callbacks run
/// inside its own calls, so ending exchanges or the connection waits until such a call returns: see ``settle()``. All frames of
/// a turn are sent in one call.
package final class HTTP2Connection: HTTPConnection {
    /// The most bytes to send, and to receive, before other connections have their turn.
    static let share = 1 << 20
    /// The most bytes to gather for a write.
    static let pieceSize = 64 * 1024
    /// The largest number of concurrent streams, even if the server allows more.
    static let maximumStreams = 1000

    private(set) var session: HTTP2Session?
    // Exclusive access is checked in debug builds only, here and below: the loop's thread alone uses the connection, and no
    // change of a collection calls nghttp2, whose callbacks change the collections.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var streams: [Int32: HTTP2Stream] = [:]
    /// The stream whose fields are arriving.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var fieldStream: HTTP2Stream?
    /// The known size of the head or the trailers that are arriving, and whether their last frame has begun.
    var headBlock = (count: 0, isWhole: false)
    /// The streams that may have ended.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var unsettled: [HTTP2Stream] = []
    /// Whether the server's settings have arrived, and the exchanges that wait for them because they need a tunnel.
    var hasSettings = false
    private var waitingTunnels: [any HTTPExchange] = []
    /// Whether the number of streams or its limit has changed.
    var hasRoomChanged = false
    /// Whether the connection takes no more exchanges.
    private(set) var isDraining = false
    /// Whether the server was silent for too long and has not answered a PING yet.
    private var silence: ServerSilence
    var flood = FloodMeter()
    /// The time since which the system takes nothing; `Int64.max` while it takes bytes.
    var blockedSince = Int64.max
    /// The contents of the server's GOAWAY, the last stream that it takes and the reason; `nil` before GOAWAY.
    private var departure: (lastStream: Int32, code: HTTP2ErrorCode)?
    /// Why the connection must end, found in a callback.
    var violation: HTTP2ErrorCode?
    /// The field line that is arriving.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var line: [UInt8] = []
    /// When the connection was last known to be quiet.
    var quietSince: Reactor.Moment

    /// The bytes that the system has not taken yet, from ``unsentStart`` on.
    var unsent: [UInt8] = []
    var unsentStart = 0
    /// The bytes that begin the connection, before HTTP/2.
    var preface: [UInt8]
    private var willSend = false
    /// Whether a read has to write first, or a write has to read first.
    var readAwaitsWriting = false
    var writeAwaitsReading = false

    /// Creates a connection that is open and idle.
    ///
    /// - Parameters:
    ///   - channel: The channel, which the connection owns.
    ///   - reactor: The reactor, which does not watch the channel yet.
    ///   - preface: The bytes to send first.
    package init(_ channel: ByteChannel, _ reactor: Reactor, preface: [UInt8] = []) {
        self.preface = preface
        quietSince = reactor.moment
        silence = ServerSilence(now: reactor.now)
        super.init(channel, reactor)
        session = HTTP2Session(self)
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> HTTP2Connection {
        // The connection owns the session, which holds the context.
        // swift-format-ignore: NeverForceUnwrap
        Unmanaged<HTTP2Connection>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Whether nghttp2 could create a session.
    package var isUsable: Bool { session != nil }

    package override var isShared: Bool { true }

    package override var isBusy: Bool { !streams.isEmpty || !waitingTunnels.isEmpty }

    package override var allowsTunnels: Bool { session?.allowsTunnels ?? false }

    package override var room: Int {
        guard let session, !isClosed, !isDraining, !silence.isDoubtful, !isBlocked else { return 0 }
        return max(0, min(Self.maximumStreams, session.maximumStreams) - streams.count - waitingTunnels.count)
    }

    /// Whether the system has taken nothing for so long that the server may be gone.
    private var isBlocked: Bool {
        blockedSince < reactor.now && reactor.now - blockedSince > ServerSilence.patience
    }

    // MARK: The owner

    package override func isAlive() -> Bool {
        guard room > 0 else { return false }
        // The system has reported nothing since then.
        if reactor.hasLooked(since: quietSince), !channel.hasPendingBytes { return true }
        receive()
        return room > 0
    }

    package override func begin(_ exchange: any HTTPExchange) {
        guard let session else {
            return exchange.ended(HeadCollector(limit: 0), hasBegun: false, .unprocessed(.notSent))
        }
        let isTunnel = exchange.contentFraming == .tunnel
        guard !isTunnel || hasSettings else {
            waitingTunnels.append(exchange)
            // Some servers send their settings only after ours.
            return sendLater()
        }
        guard !isTunnel || session.allowsTunnels else {
            return exchange.ended(HeadCollector(limit: 0), hasBegun: false, .requiresHTTP1)
        }
        exchangeCount += 1
        let block = reactor.fields
        block.removeAll()
        exchange.writeFields(to: block)
        let hasContent = exchange.contentFraming != .none
        let id = block.withFields { fields -> Int32 in
            guard let start = fields.baseAddress else { return -1 }
            guard hasContent else {
                return cs_nghttp2_submit_request(session.pointer, nil, start, fields.count, nil, nil)
            }
            var provider = cs_h2_provider(source: cs_h2_source(pointer: nil), read: Self.readContent)
            return cs_nghttp2_submit_request(session.pointer, nil, start, fields.count, &provider, nil)
        }
        guard id > 0 else {
            // The stream identifiers or the memory ran out.
            stopAccepting()
            return exchange.ended(HeadCollector(limit: 0), hasBegun: false, .unprocessed(.notSent))
        }
        let stream = HTTP2Stream(id, exchange, self)
        streams[id] = stream
        exchange.stream = stream
        let waits = isTunnel || exchange.continuePatience != nil && hasContent
        stream.state.headSent(hasContent: hasContent, waits: waits)
        if waits, let patience = exchange.continuePatience {
            stream.continueBy = reactor.now + patience
            stream.schedule(in: reactor)
        }
        if exchange.closesConnection { isDraining = true }
        sendLater()
    }

    package override func noteLate(_ exchange: any HTTPExchange) {
        if let stream = exchange.stream, stream.connection === self { stream.isLate = true }
    }

    package override func abandon(_ exchange: any HTTPExchange) {
        if let place = waitingTunnels.firstIndex(where: { $0 === exchange }) {
            waitingTunnels.remove(at: place)
            hasRoomChanged = true
            return sendLater()
        }
        guard let stream = exchange.stream, stream.connection === self else { return }
        let waits = stream.waitsForServer
        forget(stream)
        guard let session, stream.closed == nil, !isClosed else { return }
        session.reset(stream.id, .cancel)
        flood.noteAbandoned(window: stream.hasLargeWindow ? HTTP2Session.largeWindow : HTTP2Session.initialWindow)
        // A silent server may be gone, and further exchanges must not wait for it as well.
        if waits, silence.gaveUp(begunAt: stream.begunAt, isLate: stream.isLate, now: reactor.now) {
            _ = cs_nghttp2_submit_ping(session.pointer, 0, nil)
        }
        sendLater()
    }

    package override func resume(_ exchange: any HTTPExchange, sending: Bool) {
        guard let stream = exchange.stream, stream.connection === self else { return }
        if sending {
            guard stream.awaitsContent else { return }
            stream.awaitsContent = false
            stream.notePauses()
            sendContent(of: stream)
        } else {
            guard stream.isReceivingPaused else { return }
            stream.isReceivingPaused = false
            stream.notePauses()
            passOnKept(of: stream)
            unsettled.append(stream)
            settle()
        }
    }

    package override func stopSending(_ exchange: any HTTPExchange) {
        guard let stream = exchange.stream, stream.connection === self, stream.state.isAnswered else { return }
        stream.state.stopSending()
        unsettled.append(stream)
        settle()
    }

    /// Lets the current streams end, and closes the connection after the last one.
    package func stopAccepting() {
        isDraining = true
        if !isBusy { closeIdle() }
    }

    /// Closes the connection at once, even if it carries exchanges.
    package func giveUp() { fail(.lost(nil)) }

    package override func closeIdle() {
        guard let session, !isClosed, !isBusy else { return }
        isDraining = true
        _ = cs_nghttp2_session_terminate_session(session.pointer, HTTP2ErrorCode.none.rawValue)
        flush()
        close(wasIdle: true)
    }

    // MARK: The system

    package override func ready(_ readiness: Readiness) {
        if readiness.isReadable || readAwaitsWriting { receive() }
        guard !isClosed else { return }
        if readiness.isWritable || writeAwaitsReading { flush() }
        updateInterest()
    }

    /// Records that the server takes no exchanges after `lastStream` (RFC 9113 §6.8).
    func goAway(lastStream: Int32, _ code: HTTP2ErrorCode) {
        departure = (min(lastStream, departure?.lastStream ?? .max), code)
        if code != .none { violation = code }
        isDraining = true
        hasRoomChanged = true
    }

    /// Returns the failure of an exchange whose stream the server has not processed; `other` is the reason if the server did
    /// not go away before the stream.
    func refusal(of stream: Int32, otherwise other: HTTP2Refusal) -> HTTPFailure {
        guard let departure, stream > departure.lastStream else { return .unprocessed(other) }
        guard departure.code != .http11Required else { return .requiresHTTP1 }
        return .unprocessed(.goAway(departure.code, tookOthers: departure.lastStream > 0))
    }

    func noteReceived() {
        if silence.received(now: reactor.now) { hasRoomChanged = true }
    }

    func updateInterest() {
        guard !isClosed else { return }
        var interest: Interest = []
        // A direction that waits for the other one is not polled itself.
        if !readAwaitsWriting || writeAwaitsReading { interest.insert(.reading) }
        if unsentStart < unsent.count && !writeAwaitsReading || readAwaitsWriting { interest.insert(.writing) }
        if !reactor.watch(self, interest) { fail(.lost(.system(errno))) }
    }

    /// Sends at the end of the turn all frames gathered by then.
    func sendLater() {
        guard !willSend, !isClosed else { return }
        willSend = true
        reactor.sendLater(self)
    }

    package override func flush() {
        willSend = false
        guard let session, !isClosed else { return }
        let failure = sendFrames(of: session)
        settle()
        if let failure { return fail(failure) }
        // No exchange waits for the connection any more, and a GOAWAY would not get through.
        if isBlocked, streams.values.allSatisfy({ $0.exchange == nil }) { return fail(.lost(nil)) }
        endIfOver()
        updateInterest()
    }

    // MARK: The end

    /// Ends the streams, or the connection, that nghttp2's callbacks reported as ended.
    func settle() {
        var index = 0
        while index < unsettled.count {
            end(unsettled[index])
            index += 1
        }
        unsettled.removeAll(keepingCapacity: true)
        if hasSettings, !waitingTunnels.isEmpty { beginTunnels() }
        guard hasRoomChanged else { return }
        hasRoomChanged = false
        guard !isClosed else { return }
        if isDraining, !isBusy { return closeIdle() }
        owner?.hasRoom(self)
    }

    /// Begins the exchanges that waited for the server's settings.
    private func beginTunnels() {
        let list = waitingTunnels
        waitingTunnels = []
        for exchange in list { begin(exchange) }
    }

    /// Ends a stream if it is complete or has failed.
    private func end(_ stream: HTTP2Stream) {
        guard let exchange = stream.exchange else { return }
        let isTaken = !stream.hasKept
        if stream.fault == nil, isTaken, stream.hasEndStream, !stream.state.isAnswered {
            if stream.head.isFinal {
                stream.state.responseEnded()
                if stream.state.awaitsOnlySending, stream.closed == nil { exchange.answeredEarly() }
            } else {
                stream.fault = .malformed(.malformedHead)
            }
        }
        guard stream.exchange != nil else { return }
        let failure = isTaken || stream.fault != nil ? stream.failure : nil
        let isOver = stream.state.isOver || stream.state.isAnswered && stream.closed != nil
        guard failure != nil || isOver else { return }
        if stream.closed == nil, let session, !isClosed {
            session.reset(stream.id, failure == nil ? .none : .cancel)
            sendLater()
        }
        forget(stream)
        exchange.ended(stream.head, hasBegun: stream.hasBegun, failure)
    }

    private func forget(_ stream: HTTP2Stream) {
        stream.exchange?.stream = nil
        stream.exchange = nil
        stream.kept = []
        stream.keptStart = 0
        reactor.unschedule(stream)
    }

    /// Closes the connection if nghttp2 has nothing more to send or to receive.
    func endIfOver() {
        guard let session, !isClosed, session.isOver, unsentStart == unsent.count else { return }
        if !isBusy { return close(wasIdle: true) }
        fail(.violation(violation ?? .protocolError))
    }

    func fail(_ reason: HTTPFailure) {
        guard !isClosed else { return }
        isDraining = true
        var failure = reason
        // The earlier violation explains why the connection broke.
        if case .lost = reason, let violation { failure = .violation(violation) }
        let list = streams.values.sorted { $0.id < $1.id }
        let tunnels = waitingTunnels
        streams = [:]
        waitingTunnels = []
        close(wasIdle: list.isEmpty && tunnels.isEmpty)
        for stream in list {
            stream.closed = HTTP2ErrorCode.none
            guard !stream.hasEndStream, stream.fault == nil else { continue }
            switch failure {
            case _ where !stream.isHeadSent: stream.fault = refusal(of: stream.id, otherwise: .notSent)
            case .violation(.compressionError)
            where stream === fieldStream && !stream.head.isFinal && !(headBlock.isWhole && headBlock.count <= 40 << 10):
                // nghttp2 rejects a field of more than 64 KiB without any other report. The shortest code of HPACK has five
                // bits a byte (RFC 7541, appendix B), so a block of up to 40 KiB contains no such field.
                stream.fault = .malformed(.headTooLarge)
            case .lost(let reason) where stream.head.isFinal: stream.fault = .truncated(reason)
            default: stream.fault = failure
            }
        }
        fieldStream = nil
        unsettled += list
        settle()
        for exchange in tunnels {
            exchange.ended(HeadCollector(limit: 0), hasBegun: false, .unprocessed(.notSent))
        }
    }

    private func close(wasIdle: Bool) {
        guard !isClosed else { return }
        isDraining = true
        channel.tls?.sendCloseNotify()
        reactor.remove(self)
        channel.close()
        unsent = []
        unsentStart = 0
        session = nil
        owner?.closed(self, wasIdle: wasIdle)
    }
}
#endif
