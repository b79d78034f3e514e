#if os(Linux)
// Receiving bytes and interpreting them.
extension HTTP1Connection {
    func receive() {
        // Another connection may still be processing the bytes in the shared input buffer.
        guard !reactor.isInputInUse else { return reactor.serveAgain(self) }
        readAwaitsWriting = false
        var rest = Self.share
        while let exchange, !isReceivingPaused, receivingHeldUntil == 0 {
            guard rest > 0 else {
                if channel.hasPendingBytes { reactor.serveAgain(self) }
                return
            }
            guard let (target, isInPlace) = room(for: exchange) else { return }
            let result = channel.read(into: target)
            if isInPlace { noteInPlace(result, target, exchange) }
            switch result {
            case .bytes(let count):
                rest -= count
                if !isInPlace {
                    exchange.received(count, isProgress: true)
                    hold(received: count)
                    parse(UnsafeRawBufferPointer(rebasing: target[..<count]))
                }
                // A read that did not fill the buffer has emptied the socket.
                if count < target.count, !isBroken, channel.isDrained { return }
            case .wouldBlock: return
            case .wouldBlockOpposite:
                readAwaitsWriting = true
                return
            case .end: return connectionEnded(nil)
            case .failed(let failure): return connectionEnded(failure)
            }
        }
    }

    /// Returns where to read, and whether that is memory of the exchange; `nil` if nothing may be read now.
    private func room(for exchange: any HTTPExchange) -> (UnsafeMutableRawBufferPointer, isInPlace: Bool)? {
        guard exchange.isStreamed, exchange.maximumReceiveRate == 0, parser.bodyCountAhead > Self.streamedRead else {
            return (sharedRoom(for: exchange), false)
        }
        switch exchange.roomForBody() {
        // The parser must see the end of the body, and what follows it.
        case .exchange(let room) where room.count < parser.bodyCountAhead: return (room, true)
        case .exchange:
            exchange.bodyStored(UnsafeRawBufferPointer(start: nil, count: 0))
            return (sharedRoom(for: exchange), false)
        case .connection: return (sharedRoom(for: exchange), false)
        // The next read may be the end of the body, for which the reader needs no room.
        case .pause where parser.bodyCountAhead == .max: return (sharedRoom(for: exchange), false)
        case .pause:
            isReceivingPaused = true
            notePauses()
            return nil
        case .stop: return nil
        }
    }

    /// Reports the result of a read into memory of the exchange.
    private func noteInPlace(
        _ result: IOResult,
        _ target: UnsafeMutableRawBufferPointer,
        _ exchange: any HTTPExchange
    ) {
        var count = 0
        if case .bytes(let number) = result { count = number }
        if count > 0 {
            exchange.received(count, isProgress: true)
            parser.skipBody(count)
        }
        exchange.bodyStored(UnsafeRawBufferPointer(rebasing: target[..<count]))
    }

    private func sharedRoom(for exchange: any HTTPExchange) -> UnsafeMutableRawBufferPointer {
        var size = exchange.isStreamed ? Self.streamedRead : Reactor.inputSize
        if exchange.maximumReceiveRate > 0 {
            size = min(size, max(1, Int(clamping: exchange.maximumReceiveRate / 16)))
        }
        return UnsafeMutableRawBufferPointer(rebasing: reactor.input[..<size])
    }

    private func hold(received count: Int) {
        guard let rate = exchange?.maximumReceiveRate, rate > 0, state.hasHead else { return }
        receivingHeldUntil = Self.time(for: count, rate, reactor.now)
    }

    /// Offers the bytes again that the reader did not accept, and returns whether it took all of them.
    func offerKept() -> Bool {
        guard !kept.isEmpty else { return true }
        let bytes = kept
        let bodyCount = keptBody
        kept = []
        keptBody = 0
        bytes.withUnsafeBytes { bytes in
            let body = UnsafeRawBufferPointer(rebasing: bytes[..<bodyCount])
            let rest = UnsafeRawBufferPointer(rebasing: bytes[bodyCount...])
            if deliver(body, before: rest) { parse(rest) }
        }
        return exchange != nil && !isReceivingPaused
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) {
        var input = bytes
        do throws(ResponseParser.Failure) {
            while let exchange {
                switch try parser.next(&input) {
                case .needsMore: return
                case .informational:
                    exchange.informationalArrived(parser.head)
                    if parser.head.statusCode == 100, state.mayContinue() {
                        continueBy = .max
                        isContinued = true
                    }
                case .head:
                    if exchange.contentFraming == .tunnel { tunnelAnswered() }
                    state.headArrived(statusCode: parser.head.statusCode)
                    if state.sending == .stopped {
                        continueBy = .max
                        forgetUnsent()
                        awaitsContent = false
                        notePauses()
                    }
                    guard exchange.headArrived(parser.head) else { return }
                    if parser.head.statusCode == 101 { parser.forgetHead() }
                case .body(let piece):
                    guard deliver(piece, before: input) else { return }
                case .end: return responseEnded(leaving: input.count)
                }
            }
        } catch {
            fail(.malformed(error))
        }
    }

    /// Records the answer to a request for a tunnel.
    private func tunnelAnswered() {
        if parser.head.statusCode == 101 {
            isContinued = state.mayContinue()
        } else {
            hasAllContent = true
            isWhole = unsent.isEmpty
            state.tunnelRefused()
        }
    }

    /// Passes on a part of the body, and returns whether to go on with the bytes after it.
    private func deliver(_ body: UnsafeRawBufferPointer, before rest: UnsafeRawBufferPointer) -> Bool {
        guard let exchange else { return false }
        switch exchange.bodyArrived(body) {
        case .proceed: return self.exchange != nil
        case .pause:
            kept = Array(body) + Array(rest)
            keptBody = body.count
            isReceivingPaused = true
            notePauses()
            return false
        case .stop: return false
        }
    }

    private func responseEnded(leaving rest: Int) {
        state.responseEnded()
        if rest > 0 { hasSurplus = true }
        if state.awaitsOnlySending { exchange?.answeredEarly() }
        finishIfOver()
    }

    /// Sends the content for which "100 Continue" arrived.
    ///
    /// It does nothing during parsing, because sending can cause further reads.
    func sendIfContinued() {
        guard isContinued, exchange != nil else { return }
        isContinued = false
        send()
    }

    private func connectionEnded(_ reason: ChannelFailure?) {
        guard exchange != nil else { return }
        // After a write has reported a reset, the system reports only that there is nothing to read.
        let failure = reason ?? (channel.tls == nil ? lastFailure : nil)
        // If only the end of the connection ends the body, the end must be clean.
        if parser.endsWithConnection, failure != nil { return fail(.truncated(failure)) }
        switch parser.connectionEnded() {
        case .complete:
            state.responseEnded()
            state.stopSending()
            hasSurplus = true
            finishIfOver()
        case .withoutHead: fail(.lost(failure ?? lastFailure))
        case .truncated: fail(.truncated(failure ?? lastFailure))
        }
    }
}
#endif
