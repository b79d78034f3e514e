#if os(Linux)
/// A request and its response on a connection of HTTP/2.
///
/// | Sending, receiving | Event | Then |
/// |---|---|---|
/// | as ``MessageState`` has it | END_STREAM, and its reader has taken everything | the response is complete |
/// | complete, and the request is sent or nobody waits for it | | ended; the stream is reset if the server has it open |
/// | any | RST_STREAM, or the end of the connection | ended: complete if END_STREAM had arrived, else a failure |
/// | any | the exchange is given up | reset with CANCEL; nothing more is told |
///
/// nghttp2 knows the stream until it is closed in both directions; the exchange may end before (it is given up) or after (its
/// reader is slow). The place on the connection is free once nghttp2 has closed it.
package final class HTTP2Stream: Pollable {
    let id: Int32
    // Exclusive access is checked in debug builds only: the loop's thread alone uses the stream, and what changes its state or
    // its head is a function of that value, which knows no stream.
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
    /// Whether the fields that arrive are those of a head, and not trailers.
    var isInHead = false
    /// Whether the server has said that nothing follows.
    var hasEndStream = false
    /// Why nghttp2 has closed the stream; `nil` while it is open.
    var closed: HTTP2ErrorCode?
    /// What is wrong, if that is known before, or better than by the code.
    var fault: HTTPFailure?

    /// Received bytes that the reader was not ready for, from ``keptStart`` on.
    var kept: [UInt8] = []
    var keptStart = 0
    var isReceivingPaused = false
    /// The bytes that were taken.
    var takenCount = 0
    var hasLargeWindow = false

    /// Whether the head was handed to nghttp2's output.
    var isHeadSent = false
    /// Whether the producer of the content has nothing for now.
    var awaitsContent = false
    var sentCount = 0
    let begunAt: Int64
    /// Whether it is given up because its time is over.
    var isLate = false

    /// Until when a speed limit lets nothing be sent or received, in nanoseconds.
    var sendingHeldUntil: Int64 = 0
    var receivingHeldUntil: Int64 = 0
    var continueBy = Int64.max

    init(_ id: Int32, _ exchange: any HTTPExchange, _ connection: HTTP2Connection) {
        self.id = id
        self.exchange = exchange
        self.connection = connection
        head = HeadCollector(limit: exchange.maximumHead)
        begunAt = connection.reactor.now
        super.init()
    }

    var hasKept: Bool { keptStart < kept.count }

    /// Whether it is the server's turn.
    ///
    /// If the time of the stream is over, the server owes the rest of a body, too.
    var waitsForServer: Bool { !isReceivingPaused && !awaitsContent && !hasEndStream && (isLate || !hasBegun) }

    package override func timerFired() { connection.timerFired(of: self) }

    func notePauses() {
        exchange?.setPaused(isReceivingPaused || awaitsContent && state.sending == .content)
    }

    /// Sets the timer to what is due first.
    func schedule(in reactor: Reactor) {
        let wakeAt = min(
            continueBy,
            receivingHeldUntil > 0 ? receivingHeldUntil : .max,
            sendingHeldUntil > 0 ? sendingHeldUntil : .max
        )
        if wakeAt < .max { reactor.schedule(self, at: wakeAt) } else if heapIndex != nil { reactor.unschedule(self) }
    }

    /// What the end of the stream means; `nil` if it is not the end, or a good one.
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
