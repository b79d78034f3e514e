#if os(Linux)
import CShims

// Sending frames and their content.
extension HTTP2Connection {
    /// Sends all frames that nghttp2 has, until the system takes no more; returns why the connection is broken, or `nil`.
    func sendFrames(of session: HTTP2Session) -> HTTPFailure? {
        writeAwaitsReading = false
        if let failure = sendRest() { return failure }
        guard unsentStart == unsent.count else { return nil }
        let output = reactor.output
        var share = Self.share
        while share > 0 {
            output.removeAll()
            output.append(preface)
            preface = []
            while output.count < Self.pieceSize {
                guard let bytes = session.nextOutput() else {
                    output.removeAll()
                    return .violation(.internalError)
                }
                guard !bytes.isEmpty else { break }
                output.append(bytes)
            }
            guard output.count > 0 else { return nil }
            share -= output.count
            var count = 0
            while count < output.count {
                let rest = UnsafeRawBufferPointer(rebasing: output.bytes[count...])
                switch taken(channel.write(rest)) {
                case .success(let number?): count += number
                case .success(nil):
                    unsent = Array(rest)
                    blockedSince = reactor.now
                    output.removeAll()
                    return nil
                case .failure(let failure):
                    output.removeAll()
                    return failure
                }
            }
            output.removeAll()
        }
        // Other connections have their turn first.
        sendLater()
        return nil
    }

    /// Sends the bytes that the system did not take before.
    private func sendRest() -> HTTPFailure? {
        while unsentStart < unsent.count {
            let start = unsentStart
            let result = unsent.withUnsafeBytes { channel.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
            switch taken(result) {
            case .success(let number?):
                unsentStart += number
                blockedSince = reactor.now
            case .success(nil): return nil
            case .failure(let failure): return failure
            }
        }
        unsent = []
        unsentStart = 0
        // Exchanges for which there was no room may be waiting.
        if blockedSince != .max { hasRoomChanged = true }
        blockedSince = .max
        return nil
    }

    /// Interprets the result of a write: the number of bytes taken, or `nil` if nothing more can be done now.
    private func taken(_ result: IOResult) -> Result<Int?, HTTPFailure> {
        switch result {
        case .bytes(let count): return .success(count)
        case .wouldBlock: return .success(nil)
        case .wouldBlockOpposite:
            writeAwaitsReading = true
            return .success(nil)
        case .end, .failed:
            // The server may have sent its reason, and a response, before it closed the connection.
            receive()
            let reason: ChannelFailure? = if case .failed(let reason) = result { reason } else { nil }
            return .failure(.lost(reason))
        }
    }

    /// Resumes content that was put off because there was none, or because a speed limit applied.
    func sendContent(of stream: HTTP2Stream) {
        guard let session, stream.closed == nil, !isClosed else { return }
        // It fails if nothing was put off.
        _ = cs_nghttp2_session_resume_data(session.pointer, stream.id)
        sendLater()
    }

    // MARK: nghttp2's callbacks

    static let readContent: cs_h2_read = { _, id, buffer, count, flags, _, context in
        HTTP2Connection.of(context).readContent(
            of: id,
            into: UnsafeMutableRawBufferPointer(start: buffer, count: count),
            &flags.pointee
        )
    }

    /// Copies the next content of a stream.
    private func readContent(of id: Int32, into room: UnsafeMutableRawBufferPointer, _ flags: inout UInt32) -> Int {
        guard let stream = streams[id], let exchange = stream.exchange, stream.state.sending == .content,
            stream.sendingHeldUntil == 0, !stream.awaitsContent
        else { return Int(CS_H2_ERROR_DEFERRED) }
        var limit = room.count
        let rate = exchange.maximumSendRate
        if rate > 0 { limit = min(limit, max(1, Int(clamping: rate / 16))) }
        switch exchange.readContent(into: UnsafeMutableRawBufferPointer(rebasing: room[..<limit])) {
        case .bytes(let count):
            if rate > 0, count > 0 {
                stream.sendingHeldUntil = HTTP1Connection.time(for: count, rate, reactor.now)
                stream.schedule(in: reactor)
            }
            if exchange.isContentComplete { end(stream, exchange, &flags) }
            return count
        case .end:
            end(stream, exchange, &flags)
            return 0
        case .pause:
            stream.awaitsContent = true
            stream.notePauses()
            return Int(CS_H2_ERROR_DEFERRED)
        case .abort:
            stream.fault = .content
            unsettled.append(stream)
            return Int(CS_H2_ERROR_TEMPORAL)
        }
    }

    private func end(_ stream: HTTP2Stream, _ exchange: any HTTPExchange, _ flags: inout UInt32) {
        flags |= UInt32(CS_H2_EOF)
        let trailers = exchange.contentTrailers
        guard !trailers.isEmpty, let session else { return }
        let block = reactor.fields
        block.removeAll()
        HTTP2RequestWriter.write(trailers: trailers, to: block)
        let result = block.withFields { fields -> Int32 in
            guard let start = fields.baseAddress else { return -1 }
            return cs_nghttp2_submit_trailer(session.pointer, stream.id, start, fields.count)
        }
        if result == 0 {
            flags |= UInt32(CS_H2_NO_END_STREAM)
        } else {
            stream.fault = .reset(.internalError)
            unsettled.append(stream)
        }
    }

    func frameSent(_ frame: cs_h2_frame) {
        let type = Int(frame.head.type)
        // nghttp2 reports the error this way before it gives the connection up.
        if type == Int(CS_H2_GOAWAY), frame.goaway.error != 0 {
            violation = HTTP2ErrorCode(rawValue: frame.goaway.error)
        }
        guard type == Int(CS_H2_HEADERS) || type == Int(CS_H2_DATA) else { return }
        flood.noteContent()
        guard let stream = streams[frame.head.stream], let exchange = stream.exchange else { return }
        stream.isHeadSent = true
        stream.sentCount += frame.head.length + 9
        let isWhole = frame.head.flags & UInt8(CS_H2_END_STREAM) != 0
        if isWhole {
            stream.state.contentSent()
            unsettled.append(stream)
        }
        exchange.sent(stream.sentCount, isWhole: isWhole)
    }

    func frameNotSent(_ head: cs_h2_frame_head, _ error: Int32) {
        guard Int(head.type) == Int(CS_H2_HEADERS), let stream = streams[head.stream], !stream.isHeadSent else {
            return
        }
        streams[head.stream] = nil
        // After GOAWAY, the server refuses the frame, or we are ending the connection. Otherwise, the frame cannot be sent at
        // all.
        let isRefused = [CS_H2_ERROR_NOT_ALLOWED, CS_H2_ERROR_SESSION_CLOSING, CS_H2_ERROR_STREAM_CLOSING].contains {
            Int32($0) == error
        }
        if isRefused { stream.fault = refusal(of: stream.id, otherwise: .notSent) }
        stream.closed = isRefused ? .refusedStream : .internalError
        hasRoomChanged = true
        unsettled.append(stream)
    }
}
#endif
