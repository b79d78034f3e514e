extension FrameReader {
    /// Reads the payload of a frame of a message.
    ///
    /// - Returns: The message, or `needsMore` if the payload is incomplete; `nil` if another fragment follows.
    mutating func readData(_ input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> Event? {
        let part = input.takeFirst(missing)
        let announced = missing
        missing -= part.count
        let isLast = missing == 0 && frame.isFinal
        let isCompressed = progress?.isCompressed == true
        // A message that is there as a whole is copied once.
        if isLast, !isCompressed, buffer.count == 0 { return try makeMessage(part) }

        if isCompressed {
            try inflate(part, isLast: isLast)
        } else {
            try buffer.append(part, announced: announced)
            // The end of a message is checked with all of it.
            if !isLast { try validate(part) }
        }
        if isLast { return try makeMessage(nil) }
        guard missing == 0 else { return .needsMore }
        stage = .header
        return nil
    }

    /// Reads the payload of a control frame.
    mutating func readControl(_ input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> Event {
        let part = input.takeFirst(missing)
        missing -= part.count
        control.append(contentsOf: part)
        guard missing == 0 else { return .needsMore }
        stage = .header
        let payload = control
        control = []
        switch frame.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        default: return try makeClose(payload)
        }
    }

    /// Decompresses a part of a message.
    private mutating func inflate(
        _ part: UnsafeRawBufferPointer,
        isLast: Bool
    ) throws(WebSocketViolation) {
        guard let inflater else { throw .malformedCompression }
        let start = buffer.count
        do throws(WebSocketViolation) {
            try inflater.inflate(part, into: buffer, limit: maximumMessageSize)
            if isLast { try inflater.finish(into: buffer, limit: maximumMessageSize) }
        } catch {
            // A fault in the text before the fault in the compression is the first.
            try validate(UnsafeRawBufferPointer(rebasing: buffer.bytes.dropFirst(start)))
            throw error
        }
        if !isLast { try validate(UnsafeRawBufferPointer(rebasing: buffer.bytes.dropFirst(start))) }
    }

    /// Checks bytes of a message, if it is a text.
    private mutating func validate(_ bytes: UnsafeRawBufferPointer) throws(WebSocketViolation) {
        guard progress?.isText == true else { return }
        guard progress?.validator.accept(bytes) == true else { throw .invalidText }
    }

    /// Ends a message.
    ///
    /// - Parameter whole: The content, if it is in the input as a whole; otherwise, the buffer has it.
    /// - Returns: The message.
    /// - Throws: A violation, if a text is not UTF-8.
    private mutating func makeMessage(_ whole: UnsafeRawBufferPointer?) throws(WebSocketViolation) -> Event {
        guard let ended = progress else { return .needsMore }
        progress = nil
        stage = .header
        let wireSize = ended.payloadSize + ended.headerSize
        guard ended.isText else {
            return .message(.binary(whole.map { Data($0) } ?? buffer.takeData()), wireSize: wireSize)
        }
        guard let text = String(utf8: whole ?? buffer.bytes) else { throw .invalidText }
        if whole == nil { buffer.removeAll() }
        return .message(.text(text), wireSize: wireSize)
    }

    /// Reads the payload of a close frame (RFC 6455 §5.5.1), and ends the reading.
    private mutating func makeClose(_ payload: [UInt8]) throws(WebSocketViolation) -> Event {
        end()
        guard payload.count >= 2 else { return .close(code: nil, reason: "") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard WebSocketCloseCode(rawValue: code).mayBeReceived else {
            throw .protocolError("The server closed the connection with an invalid code.")
        }
        guard let reason = payload.withUnsafeBytes({ String(utf8: UnsafeRawBufferPointer(rebasing: $0.dropFirst(2))) })
        else { throw .invalidReason }
        return .close(code: code, reason: reason)
    }
}

extension String {
    /// Creates a text with a copy of its UTF-8; `nil` if the bytes are not UTF-8.
    fileprivate init?(utf8 bytes: UnsafeRawBufferPointer) {
        let text = bytes.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
        guard let text else { return nil }
        self = text
    }
}
