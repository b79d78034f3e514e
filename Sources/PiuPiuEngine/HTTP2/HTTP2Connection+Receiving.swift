#if os(Linux)
import CShims

// Receiving bytes, and nghttp2's events for them.
extension HTTP2Connection {
    func receive() {
        // Another connection may still be processing the bytes in the shared input buffer.
        guard !reactor.isInputInUse else { return reactor.serveAgain(self) }
        readAwaitsWriting = false
        var rest = Self.share
        while let session, !isClosed {
            guard rest > 0 else {
                if channel.hasPendingBytes { reactor.serveAgain(self) }
                return
            }
            switch channel.read(into: reactor.input) {
            case .bytes(let count):
                rest -= count
                noteReceived()
                take(UnsafeRawBufferPointer(rebasing: reactor.input[..<count]), session)
                // A read that did not fill the buffer has emptied the socket.
                if count < reactor.input.count, channel.isDrained {
                    quietSince = reactor.moment
                    return
                }
            case .wouldBlock:
                quietSince = reactor.moment
                return
            case .wouldBlockOpposite:
                readAwaitsWriting = true
                return
            case .end: return fail(.lost(nil))
            case .failed(let failure): return fail(.lost(failure))
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ session: HTTP2Session) {
        flood.take(bytes, now: reactor.now)
        reactor.isInputInUse = true
        let error = session.receive(bytes)
        reactor.isInputInUse = false
        settle()
        guard !isClosed else { return }
        if flood.isFlooded || error == Int(CS_H2_ERROR_FLOODED) { return endFlooded(session) }
        guard error == 0 else { return fail(.violation(violation ?? .internalError)) }
        if cs_nghttp2_session_want_write(session.pointer) != 0 { sendLater() } else { endIfOver() }
    }

    /// Closes the connection, and tells the server why if the system takes that at once.
    private func endFlooded(_ session: HTTP2Session) {
        _ = cs_nghttp2_session_terminate_session(session.pointer, HTTP2ErrorCode.enhanceYourCalm.rawValue)
        var bytes: [UInt8] = []
        while bytes.count < Self.pieceSize, let next = session.nextOutput(), !next.isEmpty { bytes += next }
        if unsentStart == unsent.count { _ = bytes.withUnsafeBytes { channel.write($0) } }
        fail(.violation(.enhanceYourCalm))
    }

    // MARK: nghttp2's callbacks

    func frameBegins(_ head: cs_h2_frame_head) -> Int32 {
        switch Int(head.type) {
        // The content advances an exchange; the frame around it does not.
        case Int(CS_H2_DATA): streams[head.stream]?.exchange?.received(9, isProgress: false)
        case Int(CS_H2_HEADERS), 9:
            let isFirst = Int(head.type) == Int(CS_H2_HEADERS)
            headBlock.count = head.length + (isFirst ? 0 : headBlock.count)
            headBlock.isWhole = head.flags & UInt8(CS_H2_END_HEADERS) != 0
            streams[head.stream]?.exchange?.received(9 + head.length, isProgress: true)
        case Int(CS_H2_PRIORITY) where head.stream == 0:
            // nghttp2 ignores the frame since it dropped priorities, but it is an error (RFC 9113 §6.3).
            guard let session else { break }
            _ = cs_nghttp2_session_terminate_session(session.pointer, HTTP2ErrorCode.protocolError.rawValue)
        // A server that makes room for more content is alive.
        case Int(CS_H2_WINDOW_UPDATE):
            guard let stream = streams[head.stream], isSending(stream) else { break }
            stream.exchange?.received(0, isProgress: true)
        default: break
        }
        return 0
    }

    /// Whether content of a stream is on its way, whose last bytes the system may hold for a long time.
    private func isSending(_ stream: HTTP2Stream) -> Bool {
        switch stream.state.sending {
        case .content: true
        case .sent: unsentStart < unsent.count || SocketTraffic(of: channel.descriptor)?.hasUnsentBytes == true
        default: false
        }
    }

    func fieldsBegin(_ id: Int32) -> Int32 {
        fieldStream = streams[id]
        fieldStream?.isInHead = false
        fieldStream?.hasBegun = true
        return 0
    }

    /// Adds a field to the head or to the trailers.
    func fieldArrived(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Int32 {
        guard let stream = fieldStream, stream.exchange != nil else { return 0 }
        line.removeAll(keepingCapacity: true)
        if name.first == 0x3A {
            // A response has no other pseudo-header field (RFC 9113 §8.3.2), and nghttp2 rejects the others.
            stream.isInHead = true
            line.append(contentsOf: "HTTP/2 ".utf8)
            line.append(contentsOf: value)
            line.append(0x20)
        } else {
            // In a field line, each of these bytes would look like the end of the line.
            guard !value.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else { return invalidFieldArrived() }
            line.append(contentsOf: name)
            line.append(0x3A)
            line.append(0x20)
            line.append(contentsOf: value)
        }
        line.append(0x0D)
        line.append(0x0A)
        return append(to: stream) == nil ? Int32(CS_H2_ERROR_TEMPORAL) : 0
    }

    func invalidFieldArrived() -> Int32 {
        if let stream = fieldStream, stream.exchange != nil {
            stream.fault = .reset(.protocolError)
            unsettled.append(stream)
        }
        return Int32(CS_H2_ERROR_TEMPORAL)
    }

    /// Adds ``line`` to the head that is arriving; returns `nil` if it cannot be added.
    private func append(to stream: HTTP2Stream) -> HeadCollector.Event? {
        let failure: ResponseParser.Failure
        do throws(HeadCollector.Failure) {
            return try line.withUnsafeBytes { bytes in
                Result { () throws(HeadCollector.Failure) in try stream.head.append(bytes) }
            }.get()
        } catch {
            switch error {
            case .tooLarge: failure = .headTooLarge
            case .switchedProtocols: failure = .switchedProtocols
            case .malformed: failure = stream.head.isFinal ? .malformedBody : .malformedHead
            }
        }
        stream.fault = .malformed(failure)
        unsettled.append(stream)
        return nil
    }

    func frameArrived(_ frame: cs_h2_frame) -> Int32 {
        switch Int(frame.head.type) {
        case Int(CS_H2_HEADERS):
            guard let stream = fieldStream, stream.id == frame.head.stream else { return 0 }
            fieldStream = nil
            fieldsEnded(of: stream)
            noteEnd(of: stream, frame.head)
        case Int(CS_H2_DATA):
            if let stream = streams[frame.head.stream] { noteEnd(of: stream, frame.head) }
        case Int(CS_H2_SETTINGS):
            if frame.head.flags & UInt8(CS_H2_ACK) == 0 { hasSettings = true }
            hasRoomChanged = true
        case Int(CS_H2_GOAWAY):
            goAway(lastStream: frame.goaway.last_stream, HTTP2ErrorCode(rawValue: frame.goaway.error))
        default: break
        }
        return 0
    }

    private func noteEnd(of stream: HTTP2Stream, _ head: cs_h2_frame_head) {
        guard head.flags & UInt8(CS_H2_END_STREAM) != 0 else { return }
        stream.hasEndStream = true
        unsettled.append(stream)
    }

    private func fieldsEnded(of stream: HTTP2Stream) {
        guard let exchange = stream.exchange, stream.fault == nil else { return }
        flood.noteContent()
        line.removeAll(keepingCapacity: true)
        line.append(0x0D)
        line.append(0x0A)
        guard let event = append(to: stream), stream.isInHead else { return }
        let statusCode = stream.head.statusCode
        guard event == .final else {
            exchange.informationalArrived(stream.head)
            if statusCode == 100, stream.state.mayContinue() {
                stream.continueBy = .max
                stream.schedule(in: reactor)
                sendContent(of: stream)
            }
            return
        }
        // An answer of success opens a tunnel (RFC 8441 §5).
        if exchange.contentFraming == .tunnel, (200..<300).contains(statusCode), stream.state.mayContinue() {
            sendContent(of: stream)
        }
        stream.state.headArrived(statusCode: statusCode)
        if stream.state.sending == .stopped {
            stream.continueBy = .max
            stream.awaitsContent = false
            stream.schedule(in: reactor)
            stream.notePauses()
        }
        // An exchange that rejects the response has left the stream.
        _ = exchange.headArrived(stream.head)
    }

    func dataArrived(_ bytes: UnsafeRawBufferPointer, on id: Int32) {
        guard let session else { return }
        // All streams share the connection's window. A slow reader must not keep the others waiting.
        _ = cs_nghttp2_session_consume_connection(session.pointer, bytes.count)
        guard let stream = streams[id], let exchange = stream.exchange, stream.fault == nil else {
            _ = cs_nghttp2_session_consume_stream(session.pointer, id, bytes.count)
            return
        }
        flood.noteContent()
        exchange.received(bytes.count, isProgress: true)
        guard !stream.hasKept else { return stream.kept.append(contentsOf: bytes) }
        let taken = passOn(bytes, of: stream)
        guard taken < bytes.count, stream.exchange != nil else { return }
        stream.kept.append(contentsOf: bytes[taken...])
    }

    /// Passes on as many bytes as the reader takes and a speed limit allows, and returns their number.
    private func passOn(_ bytes: UnsafeRawBufferPointer, of stream: HTTP2Stream) -> Int {
        var taken = 0
        while taken < bytes.count, let exchange = stream.exchange, !stream.isReceivingPaused,
            stream.receivingHeldUntil == 0
        {
            var count = bytes.count - taken
            let rate = exchange.maximumReceiveRate
            if rate > 0 { count = min(count, max(1, Int(clamping: rate / 16))) }
            switch exchange.bodyArrived(UnsafeRawBufferPointer(rebasing: bytes[taken..<(taken + count)])) {
            case .proceed:
                taken += count
                noteTaken(count, of: stream)
                guard rate > 0 else { break }
                stream.receivingHeldUntil = HTTP1Connection.time(for: count, rate, reactor.now)
                stream.schedule(in: reactor)
            case .pause:
                stream.isReceivingPaused = true
                stream.notePauses()
            case .stop: return bytes.count
            }
        }
        return taken
    }

    /// Passes on the kept bytes.
    func passOnKept(of stream: HTTP2Stream) {
        guard stream.hasKept else { return }
        var taken = 0
        do {
            // The stream's properties may change during the call.
            let (kept, start) = (stream.kept, stream.keptStart)
            taken = kept.withUnsafeBytes { passOn(UnsafeRawBufferPointer(rebasing: $0[start...]), of: stream) }
        }
        guard stream.exchange != nil else { return }
        stream.keptStart += taken
        guard stream.hasKept else {
            stream.kept = []
            stream.keptStart = 0
            return
        }
        // With a speed limit, more bytes arrive before the last kept byte is taken.
        guard stream.keptStart > 64 * 1024, stream.keptStart > stream.kept.count / 2 else { return }
        stream.kept.removeFirst(stream.keptStart)
        stream.keptStart = 0
    }

    /// Extends the window of a stream by the bytes that were taken, and by more if its reader keeps reading.
    private func noteTaken(_ count: Int, of stream: HTTP2Stream) {
        guard let session, stream.closed == nil, !isClosed else { return }
        stream.takenCount += count
        _ = cs_nghttp2_session_consume_stream(session.pointer, stream.id, count)
        let isStreamed = stream.exchange?.isStreamed == true
        if !stream.hasLargeWindow, !stream.hasEndStream, stream.exchange?.maximumReceiveRate == 0, !stream.isTunnel,
            stream.takenCount >= (isStreamed ? 4 : 1) * HTTP2Session.initialWindow / 2
        {
            stream.hasLargeWindow = true
            let size = isStreamed ? HTTP2Session.largeWindow / 4 : HTTP2Session.largeWindow
            _ = cs_nghttp2_session_set_local_window_size(session.pointer, 0, stream.id, Int32(size))
        }
        if !reactor.isInputInUse { sendLater() }
    }

    func streamClosed(_ id: Int32, _ code: HTTP2ErrorCode) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        if fieldStream === stream { fieldStream = nil }
        stream.closed = code
        hasRoomChanged = true
        unsettled.append(stream)
    }

    func timerFired(of stream: HTTP2Stream) {
        if reactor.now >= stream.continueBy {
            stream.continueBy = .max
            if stream.state.mayContinue() { sendContent(of: stream) }
        }
        if stream.receivingHeldUntil > 0, reactor.now >= stream.receivingHeldUntil {
            stream.receivingHeldUntil = 0
            passOnKept(of: stream)
            unsettled.append(stream)
        }
        if stream.sendingHeldUntil > 0, reactor.now >= stream.sendingHeldUntil {
            stream.sendingHeldUntil = 0
            sendContent(of: stream)
        }
        if stream.exchange != nil { stream.schedule(in: reactor) }
        settle()
    }
}
#endif
