#if os(Linux)
/// A request and its response on an HTTP/2 connection.
///
/// | Sending, receiving | Event | Then |
/// |---|---|---|
/// | as in ``MessageState`` | END_STREAM, and the reader has taken everything | the response is complete |
/// | complete, and the request is sent or no longer needed | | ended; the stream is reset if the server has it open |
/// | any | RST_STREAM, or the end of the connection | ended: complete if END_STREAM had arrived, otherwise failed |
/// | any | the owner gives up the exchange | reset with CANCEL; nothing more is reported |
///
/// nghttp2 keeps the stream until it is closed in both directions. The exchange may end earlier (its owner gives it up) or
/// later (its reader is slow). The place on the connection is free once nghttp2 has closed the stream.
package final class HTTP2Stream: Pollable {
    let id: Int32
    // Exclusive access is checked in debug builds only: the loop's thread alone uses the stream, and only functions of the
    // state and the head themselves, which have no access to the stream, change them.
    /// The exchange; `nil` once it has ended.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var exchange: (any HTTPExchange)?
    private(set) unowned var connection: HTTP2Connection

    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var state = MessageState()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var head: HeadCollector
    /// Whether anything of a response has arrived.
    var hasBegun = false
    /// Whether the arriving fields belong to a head, and not to trailers.
    var isInHead = false
    /// Whether END_STREAM has arrived.
    var hasEndStream = false
    /// Why nghttp2 has closed the stream; `nil` while it is open.
    var closed: HTTP2ErrorCode?
    /// The failure, if it is known before the stream is closed, or more precise than the error code.
    var fault: HTTPFailure?

    /// Received bytes that the reader did not accept, from ``keptStart`` on.
    var kept: [UInt8] = []
    var keptStart = 0
    var isReceivingPaused = false
    /// The number of bytes that the reader took.
    var takenCount = 0
    var hasLargeWindow = false

    /// Whether the head is part of nghttp2's output.
    var isHeadSent = false
    /// Whether the producer has no content for now.
    var awaitsContent = false
    var sentCount = 0
    let begunAt: Int64
    /// Whether the exchange asks for a tunnel, whose window does not grow.
    let isTunnel: Bool
    /// Whether the exchange is given up because its time ran out.
    var isLate = false

    /// The time until which a speed limit stops sending or receiving, in nanoseconds.
    var sendingHeldUntil: Int64 = 0
    var receivingHeldUntil: Int64 = 0
    var continueBy = Int64.max

    init(_ id: Int32, _ exchange: any HTTPExchange, _ connection: HTTP2Connection) {
        self.id = id
        self.exchange = exchange
        self.connection = connection
        head = HeadCollector(limit: exchange.maximumHead)
        begunAt = connection.reactor.now
        isTunnel = exchange.contentFraming == .tunnel
        super.init()
    }

    var hasKept: Bool { keptStart < kept.count }

    /// Whether the stream waits for the server.
    ///
    /// If the stream's time ran out, this includes a wait for the rest of a body.
    var waitsForServer: Bool { !isReceivingPaused && !awaitsContent && !hasEndStream && (isLate || !hasBegun) }

    package override func timerFired() { connection.timerFired(of: self) }

    func notePauses() {
        exchange?.setPaused(isReceivingPaused || awaitsContent && state.sending == .content)
    }

    /// Sets the timer to the earliest due time.
    func schedule(in reactor: Reactor) {
        let wakeAt = min(
            continueBy,
            receivingHeldUntil > 0 ? receivingHeldUntil : .max,
            sendingHeldUntil > 0 ? sendingHeldUntil : .max
        )
        if wakeAt < .max { reactor.schedule(self, at: wakeAt) } else if heapIndex != nil { reactor.unschedule(self) }
    }

    /// The failure that the end of the stream means; `nil` if the stream has not ended, or ended well.
    var failure: HTTPFailure? {
        if let fault { return fault }
        guard let closed, !state.isAnswered else { return nil }
        switch closed {
        case .refusedStream where !hasBegun: return connection.refusal(of: id, otherwise: .stream)
        case .http11Required where !hasBegun: return .requiresHTTP1
        case .none where head.isFinal: return .truncated(nil)
        default: return .reset(closed)
        }
    }
}
#endif
