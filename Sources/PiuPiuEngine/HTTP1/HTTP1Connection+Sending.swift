#if os(Linux)
// Sending the head, the content from its producer, and the bytes that the system did not take at once.
extension HTTP1Connection {
    /// Sends the gathered bytes and then content, until the system or the producer has no more.
    ///
    /// - Parameter isHeadGathered: Whether the loop's buffer contains the head, which is sent together with content.
    func send(isHeadGathered: Bool = false) {
        let output = reactor.output
        // The buffer may contain another connection's bytes, which must not be sent here.
        if !isHeadGathered { output.removeAll() }
        writeAwaitsReading = false
        guard let own = exchange, sendRest(), exchange === own else { return }
        var share = Self.share
        // A report to the exchange can start the next exchange on this connection, which sends for itself.
        while exchange === own, sendingHeldUntil == 0, share > 0 {
            gather()
            guard output.count > 0 else { return noteSent(0) }
            var count = 0
            while count < output.count {
                let rest = UnsafeRawBufferPointer(rebasing: output.bytes[count...])
                guard let number = taken(channel.write(rest)) else {
                    // If the connection is broken, nothing is left to send, and another connection may be using the buffer.
                    guard exchange === own, state.sending != .stopped else { return }
                    unsent = Array(rest)
                    output.removeAll()
                    return noteSent(count)
                }
                count += number
            }
            output.removeAll()
            share -= count
            hold(count)
            noteSent(count)
        }
    }

    /// Sends the bytes that the system did not take before, and returns whether all of them were sent.
    private func sendRest() -> Bool {
        var count = 0
        while unsentStart < unsent.count {
            let start = unsentStart
            let result = unsent.withUnsafeBytes { channel.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
            guard let number = taken(result) else {
                if exchange != nil, state.sending != .stopped { noteSent(count) }
                return false
            }
            unsentStart += number
            count += number
        }
        guard count > 0 else { return true }
        forgetUnsent()
        hold(count)
        noteSent(count)
        return true
    }

    func forgetUnsent() {
        unsent = []
        unsentStart = 0
    }

    /// Fills the output with the next content.
    private func gather() {
        guard let exchange else { return }
        let output = reactor.output
        while state.sending == .content, !hasAllContent, !awaitsContent, output.count < Self.pieceSize {
            let before = output.count
            let piece = nextPiece(of: exchange, limitedTo: max(1024, Self.pieceSize - before))
            switch piece {
            case .bytes: break
            case .pause:
                awaitsContent = true
                notePauses()
            case .end:
                hasAllContent = true
                if exchange.contentFraming == .chunked {
                    output.append("0\r\n")
                    for line in exchange.contentTrailers {
                        output.append(line)
                        output.append("\r\n")
                    }
                    output.append("\r\n")
                }
            case .abort:
                output.removeAll()
                return fail(.content)
            }
            // A speed limit allows only a little at a time.
            if exchange.maximumSendRate > 0 { break }
        }
    }

    private func nextPiece(of exchange: any HTTPExchange, limitedTo limit: Int) -> ContentPiece {
        var limit = limit
        if exchange.maximumSendRate > 0 { limit = min(limit, max(1, Int(clamping: exchange.maximumSendRate / 16))) }
        let output = reactor.output
        // The size has four digits, which are enough for a piece.
        let isChunked = exchange.contentFraming == .chunked
        let start = output.count
        if isChunked { output.append("0000\r\n") }
        var piece = ContentPiece.end
        output.append(upTo: min(limit, 0xFFFF)) { room in
            piece = exchange.readContent(into: room)
            if case .bytes(let count) = piece { return count }
            return 0
        }
        guard isChunked else { return piece }
        guard case .bytes(let count) = piece, count > 0 else {
            output.removeLast(output.count - start)
            return piece
        }
        let digits = Array("0123456789abcdef".utf8)
        let size = [12, 8, 4, 0].map { digits[count >> $0 & 15] }
        size.withUnsafeBytes { output.replace(at: start, with: $0) }
        output.append("\r\n")
        return piece
    }

    /// Interprets the result of a write, and returns the number of bytes taken; `nil` if nothing more can be done now.
    private func taken(_ result: IOResult) -> Int? {
        switch result {
        case .bytes(let count): return count
        case .wouldBlock: return nil
        case .wouldBlockOpposite:
            writeAwaitsReading = true
            return nil
        case .end, .failed:
            // The server may have answered before it closed the connection.
            forgetUnsent()
            let failure: ChannelFailure? = if case .failed(let failure) = result { failure } else { nil }
            state.stopSending()
            lastFailure = failure
            isBroken = true
            // Read the bytes that have arrived, and then the end, which the system keeps reporting.
            if state.isAnswered { finishIfOver() } else { receive() }
            return nil
        }
    }

    func noteSent(_ count: Int) {
        sentCount += count
        guard let exchange, !isWhole else { return }
        isWhole = hasAllContent && unsent.isEmpty && state.sending != .stopped && !isBroken
        if isWhole { state.contentSent() }
        if count > 0 || isWhole { exchange.sent(max(0, sentCount), isWhole: isWhole) }
        if isWhole { finishIfOver() }
    }

    private func hold(_ count: Int) {
        let content = max(0, count - headCount)
        headCount = max(0, headCount - count)
        guard let rate = exchange?.maximumSendRate, rate > 0, content > 0 else { return }
        sendingHeldUntil = Self.time(for: content, rate, reactor.now)
    }

    static func time(for count: Int, _ rate: Int64, _ now: Int64) -> Int64 {
        let (whole, overflow) = Int64(count).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : now + max(1, whole / rate)
    }
}
#endif
