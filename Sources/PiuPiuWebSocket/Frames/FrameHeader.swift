/// The header of a frame of the server (RFC 6455 §5.2).
struct FrameHeader: Equatable {
    var opcode = FrameOpcode.continuation
    /// Whether the frame is the last of its message.
    var isFinal = false
    /// Whether RSV1 is set: the frame begins a compressed message (RFC 7692 §6).
    var isCompressed = false
    /// The size of the payload.
    var payloadCount = 0
    /// The size of the header itself.
    var headerCount = 2
}

/// Reads the header of one frame after the other, however its bytes arrive.
///
/// Each byte is checked when it arrives, so that a violation is found at the same byte however the input is split.
struct FrameHeaderReader {
    /// What the frames before allow.
    struct Context {
        /// Whether a message has begun and its last fragment is missing.
        var isInMessage: Bool
        /// Whether the server may compress messages.
        var allowsCompression: Bool
    }

    private var header = FrameHeader()
    /// The number of bytes read of the header.
    private var position = 0
    private var length: UInt64 = 0

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - input: The input; advanced past what was read.
    ///   - context: What the frames before allow.
    /// - Returns: The header; `nil` if it is incomplete.
    /// - Throws: A violation.
    mutating func read(
        _ input: inout UnsafeRawBufferPointer,
        in context: Context
    ) throws(WebSocketViolation) -> FrameHeader? {
        if position == 0 {
            guard let byte = input.first else { return nil }
            try readFirst(byte, in: context)
            input.skip(1)
            position = 1
        }
        if position == 1 {
            guard let byte = input.first else { return nil }
            try readSecond(byte)
            input.skip(1)
            position = 2
        }
        if header.headerCount > 2 {
            guard try readLength(&input) else { return nil }
        }
        position = 0
        guard let count = Int(exactly: length) else { throw .messageTooBig }
        header.payloadCount = count
        return header
    }

    private mutating func readFirst(_ byte: UInt8, in context: Context) throws(WebSocketViolation) {
        guard byte & 0x30 == 0 else { throw .protocolError("The server set a reserved bit of a frame.") }
        guard let opcode = FrameOpcode(rawValue: byte & 0x0F) else {
            throw .protocolError("The server sent a frame with a reserved opcode.")
        }
        header.opcode = opcode
        header.isFinal = byte & 0x80 != 0
        header.isCompressed = byte & 0x40 != 0
        if header.isCompressed {
            guard context.allowsCompression else {
                throw .protocolError("The server compressed a message without having agreed to it.")
            }
            guard opcode == .text || opcode == .binary else {
                throw .protocolError("The server set the bit for compression in a frame that does not begin a message.")
            }
        }
        switch opcode {
        case .continuation:
            guard context.isInMessage else {
                throw .protocolError("The server continued a message that it had not begun.")
            }
        case .text, .binary:
            guard !context.isInMessage else {
                throw .protocolError("The server began a message before the end of another.")
            }
        case .close, .ping, .pong:
            guard header.isFinal else { throw .protocolError("The server fragmented a control frame.") }
        }
    }

    private mutating func readSecond(_ byte: UInt8) throws(WebSocketViolation) {
        guard byte & 0x80 == 0 else { throw .protocolError("The server masked a frame.") }
        switch byte {
        case 126: header.headerCount = 4
        case 127: header.headerCount = 10
        default: header.headerCount = 2
        }
        length = header.headerCount == 2 ? UInt64(byte) : 0
        if header.opcode.isControl, byte > 125 {
            throw .protocolError("The server sent a control frame with more than 125 bytes.")
        }
        if header.opcode == .close, byte == 1 {
            throw .protocolError("The server sent a close frame with one byte.")
        }
    }

    /// Reads the extended length; returns whether it is complete.
    private mutating func readLength(_ input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> Bool {
        let count = min(header.headerCount - position, input.count)
        for index in 0..<count {
            if position == 2, index == 0, header.headerCount == 10, input[0] & 0x80 != 0 {
                throw .protocolError("The server sent a frame with a length of more than 63 bits.")
            }
            length = length << 8 | UInt64(input[index])
        }
        input.skip(count)
        position += count
        guard position == header.headerCount else { return false }
        // "The minimal number of bytes MUST be used" (RFC 6455 §5.2).
        guard length >= (header.headerCount == 4 ? 126 : 0x1_0000) else {
            throw .protocolError("The server sent a length with more bytes than needed.")
        }
        return true
    }
}

extension UnsafeRawBufferPointer {
    /// Removes bytes from the start; at most `count` of this buffer.
    @inline(__always)
    mutating func skip(_ count: Int) {
        guard let start = baseAddress, count > 0, count <= self.count else { return }
        self = UnsafeRawBufferPointer(start: start + count, count: self.count - count)
    }

    /// Removes bytes from the start and returns them; at most all.
    @inline(__always)
    mutating func takeFirst(_ count: Int) -> UnsafeRawBufferPointer {
        let part = UnsafeRawBufferPointer(start: baseAddress, count: Swift.min(count, self.count))
        skip(part.count)
        return part
    }
}
