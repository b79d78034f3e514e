#if os(Linux)
import Glibc

/// An HTTP/1.1 connection, which carries one exchange at a time.
///
///     idle ── begin ──▶ busy ── both messages are complete ──▶ idle, or closed
///       │                └──── a fault, or the owner gives the exchange up ──▶ closed
///       └── bytes, or the end of the connection ──▶ closed
///
/// ``MessageState`` tracks the progress of the exchange, and ``ResponseParser`` interprets the bytes. Every exchange ends once,
/// in ``HTTPExchange/ended(_:hasBegun:_:)``, unless its owner gives it up with ``abandon(_:)``.
package final class HTTP1Connection: HTTPConnection {
    /// The most bytes to read before other connections have their turn.
    static let share = 1 << 20
    /// The most content to gather for a write, in bytes.
    static let pieceSize = 64 * 1024
    /// The most bytes to read at a time of a body that waits for its reader.
    static let streamedRead = 64 * 1024

    /// When the connection was last known to be quiet.
    var quietSince: Reactor.Moment

    var exchange: (any HTTPExchange)?
    var state = MessageState()
    var parser = ResponseParser(limit: 0, isHEAD: false)

    /// The bytes that the system has not taken yet, from ``unsentStart`` on.
    var unsent: [UInt8] = []
    var unsentStart = 0
    var sentCount = 0
    /// Whether the producer has no content for now.
    var awaitsContent = false
    /// Whether all content was gathered.
    var hasAllContent = false
    /// Whether the whole request was handed to the system.
    var isWhole = false

    /// Received bytes that the reader did not accept, and how many of them are known to belong to the body.
    var kept: [UInt8] = []
    var keptBody = 0
    var isReceivingPaused = false

    /// The time until which a speed limit stops sending or receiving, in nanoseconds.
    var sendingHeldUntil: Int64 = 0
    var receivingHeldUntil: Int64 = 0
    var continueBy = Int64.max
    /// Whether a write failed, so that only bytes that have already arrived can be read.
    var isBroken = false
    var lastFailure: ChannelFailure?
    /// Whether "100 Continue" was read, so the content is sent once all bytes of the read are parsed.
    var isContinued = false
    /// The number of bytes of the head, and of any preface before it.
    var headCount = 0
    /// Whether bytes followed the response.
    var hasSurplus = false

    /// Whether a read has to write first, or a write has to read first.
    var readAwaitsWriting = false
    var writeAwaitsReading = false

    /// The bytes that begin the connection, before the first request.
    var preface: [UInt8]

    /// Creates a connection that is open and idle.
    ///
    /// - Parameters:
    ///   - channel: The channel, which the connection owns.
    ///   - reactor: The reactor, which does not watch the channel yet.
    ///   - preface: The bytes to send first.
    package init(_ channel: ByteChannel, _ reactor: Reactor, preface: [UInt8] = []) {
        self.preface = preface
        quietSince = reactor.moment
        super.init(channel, reactor)
    }

    /// How long the server keeps the connection, in seconds, according to its last response; `nil` if the response does not
    /// say.
    package override var keepAliveSeconds: Int? { parser.head.keepAliveSeconds }

    /// Whether the connection carries an exchange.
    package override var isBusy: Bool { exchange != nil }

    // MARK: The owner

    /// Whether an idle connection is still usable: open, and without a byte to read.
    package override func isAlive() -> Bool {
        guard !isClosed, exchange == nil else { return false }
        // The system has reported nothing since then.
        if reactor.hasLooked(since: quietSince), !channel.hasPendingBytes { return true }
        return isQuiet() && !channel.hasPendingBytes
    }

    /// Begins an exchange on an idle connection.
    package override func begin(_ exchange: any HTTPExchange) {
        self.exchange = exchange
        exchangeCount += 1
        state = MessageState()
        let isTunnel = exchange.contentFraming == .tunnel
        parser = ResponseParser(
            limit: exchange.maximumHead,
            isHEAD: exchange.isHEAD,
            switchesProtocols: isTunnel
        )
        sentCount = 0
        awaitsContent = false
        hasAllContent = exchange.contentFraming == .none
        isWhole = false
        isContinued = false
        isReceivingPaused = false
        sendingHeldUntil = 0
        receivingHeldUntil = 0
        continueBy = .max
        let output = reactor.output
        output.removeAll()
        output.append(preface)
        let uncounted = preface.count
        preface = []
        exchange.writeHead(to: output)
        headCount = output.count
        let waits = isTunnel || exchange.continuePatience != nil && !hasAllContent
        state.headSent(hasContent: !hasAllContent, waits: waits)
        if waits, let patience = exchange.continuePatience { continueBy = reactor.now + patience }
        sentCount = -uncounted
        send(isHeadGathered: true)
        updateInterest()
    }

    /// Drops the exchange without calling it, and closes the connection at once.
    package override func abandon(_ exchange: any HTTPExchange) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        close(wasIdle: false)
    }

    /// Resumes the exchange after a pause for the caller.
    package override func resume(_ exchange: any HTTPExchange, sending: Bool) {
        guard self.exchange === exchange else { return }
        if sending {
            guard awaitsContent else { return }
            awaitsContent = false
            notePauses()
            send()
        } else {
            guard isReceivingPaused else { return }
            isReceivingPaused = false
            notePauses()
            if offerKept() { receive() }
            sendIfContinued()
        }
        updateInterest()
    }

    /// Gives up sending because the response is complete, which ends the exchange.
    package override func stopSending(_ exchange: any HTTPExchange) {
        guard self.exchange === exchange, state.isAnswered else { return }
        state.stopSending()
        finishIfOver()
    }

    /// Closes an idle connection.
    package override func closeIdle() {
        guard exchange == nil, !isClosed else { return }
        channel.tls?.sendCloseNotify()
        close(wasIdle: true)
    }

    func close(wasIdle: Bool) {
        guard !isClosed else { return }
        reactor.remove(self)
        channel.close()
        kept = []
        unsent = []
        owner?.closed(self, wasIdle: wasIdle)
    }

    // MARK: The system

    package override func ready(_ readiness: Readiness) {
        guard exchange != nil else {
            // Bytes that arrive between two exchanges belong to none. TLS also sends its own messages.
            if !isQuiet() { close(wasIdle: true) }
            return
        }
        // Read an answer before sending more: sending on a connection that the server has closed would lose the answer.
        if readiness.isReadable || readAwaitsWriting {
            receive()
            sendIfContinued()
        }
        if exchange != nil, readiness.isWritable || writeAwaitsReading { send() }
        updateInterest()
    }

    package override func timerFired() {
        if reactor.now >= continueBy {
            continueBy = .max
            if state.mayContinue() { send() }
        }
        if exchange != nil, receivingHeldUntil > 0, reactor.now >= receivingHeldUntil {
            receivingHeldUntil = 0
            receive()
            sendIfContinued()
        }
        if exchange != nil, sendingHeldUntil > 0, reactor.now >= sendingHeldUntil {
            sendingHeldUntil = 0
            send()
        }
        updateInterest()
    }

    func isQuiet() -> Bool {
        var byte: UInt8 = 0
        let result = withUnsafeMutableBytes(of: &byte) { channel.read(into: $0) }
        switch result {
        case .wouldBlock, .wouldBlockOpposite:
            quietSince = reactor.moment
            return true
        case .bytes, .end, .failed: return false
        }
    }

    func updateInterest() {
        guard !isClosed else { return }
        guard exchange != nil else {
            if !reactor.watch(self, .reading) { close(wasIdle: true) }
            return
        }
        var interest: Interest = []
        let mayReceive = !isReceivingPaused && receivingHeldUntil == 0
        // A direction that waits for the other one is not polled itself.
        if mayReceive && !readAwaitsWriting || writeAwaitsReading { interest.insert(.reading) }
        let hasOutput = unsentStart < unsent.count || state.sending == .content && !awaitsContent
        let maySend = hasOutput && sendingHeldUntil == 0 && !writeAwaitsReading
        if maySend || readAwaitsWriting && mayReceive { interest.insert(.writing) }
        guard reactor.watch(self, interest) else { return fail(.lost(.system(errno))) }
        let wakeAt = min(
            continueBy,
            receivingHeldUntil > 0 ? receivingHeldUntil : .max,
            sendingHeldUntil > 0 ? sendingHeldUntil : .max
        )
        if wakeAt < .max { reactor.schedule(self, at: wakeAt) } else { reactor.unschedule(self) }
    }

    func notePauses() {
        exchange?.setPaused(isReceivingPaused || awaitsContent && state.sending == .content)
    }

    // MARK: The end

    func finishIfOver() {
        guard state.isOver, let exchange = exchange.take() else { return }
        quietSince = reactor.moment
        reactor.unschedule(self)
        let isWhole = state.isSent && isWhole && !isBroken && !hasSurplus
        let canGoOn = isWhole && !exchange.closesConnection && parser.keepsConnection
        let ended = parser
        if canGoOn {
            if reactor.watch(self, .reading) { owner?.hasRoom(self) } else { close(wasIdle: false) }
        } else {
            channel.tls?.sendCloseNotify()
            close(wasIdle: false)
        }
        exchange.ended(ended.head, hasBegun: ended.hasBegun, nil)
    }

    func fail(_ failure: HTTPFailure) {
        guard let exchange = exchange.take() else { return }
        let ended = parser
        close(wasIdle: false)
        exchange.ended(ended.head, hasBegun: ended.hasBegun, failure)
    }
}
#endif
