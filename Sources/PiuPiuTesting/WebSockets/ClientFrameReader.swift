#if WebSockets
import PiuPiuAsync

/// Reads the frames of a client and puts their messages together (RFC 6455 §5), a pure value.
struct ClientFrameReader {
    enum Event: Equatable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        case close(code: UInt16?, reason: String)
    }

    /// A violation of the protocol by the client.
    struct Violation: Error, Equatable {
        let text: String
    }

    private struct Header {
        let opcode: FrameOpcode
        let isFinal: Bool
        let size: Int
        let count: Int
        let key: UInt32
    }

    private var input: [UInt8] = []
    private var start = 0
    /// The message whose last fragment is missing.
    private var message: (opcode: FrameOpcode, bytes: [UInt8])?

    /// Adds bytes that arrived.
    mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 1 << 16 || start == input.count {
            input.removeSubrange(..<start)
            start = 0
        }
        input += bytes
    }

    /// Returns the next event; `nil` if more bytes are needed.
    mutating func next() throws(Violation) -> Event? {
        while let header = try readHeader(), input.count - start >= header.size + header.count {
            let payload = take(header)
            switch header.opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong(payload)
            case .close: return try Self.close(payload)
            case .text, .binary:
                guard message == nil else { throw Violation(text: "a message began before the end of another") }
                message = (header.opcode, payload)
            case .continuation:
                guard message != nil else { throw Violation(text: "a message continued that had not begun") }
                message?.bytes += payload
            }
            if header.isFinal, let whole = message.take() { return try Self.message(whole.opcode, whole.bytes) }
        }
        return nil
    }

    private func readHeader() throws(Violation) -> Header? {
        guard input.count - start >= 2 else { return nil }
        let (first, second) = (input[start], input[start + 1])
        guard first & 0x70 == 0 else { throw Violation(text: "a reserved bit is set") }
        guard let opcode = FrameOpcode(rawValue: first & 0x0F) else { throw Violation(text: "a reserved opcode") }
        guard second & 0x80 != 0 else { throw Violation(text: "a frame without a mask") }
        guard !opcode.isControl || (first & 0x80 != 0 && second & 0x7F <= 125) else {
            throw Violation(text: "a control frame that is fragmented or too long")
        }
        let extra = second & 0x7F == 126 ? 2 : second & 0x7F == 127 ? 8 : 0
        let size = 2 + extra + 4
        guard input.count - start >= size else { return nil }
        var count = UInt64(second & 0x7F)
        if extra > 0 { count = input[start + 2..<start + 2 + extra].reduce(0) { $0 << 8 | UInt64($1) } }
        guard count <= 1 << 40 else { throw Violation(text: "a frame of more than 1 TiB") }
        let key = input[start + size - 4..<start + size].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Header(opcode: opcode, isFinal: first & 0x80 != 0, size: size, count: Int(count), key: key)
    }

    private mutating func take(_ header: Header) -> [UInt8] {
        let begin = start + header.size
        var payload = Array(input[begin..<begin + header.count])
        payload.withUnsafeMutableBytes { bytes in
            FrameWriter.mask(UnsafeRawBufferPointer(bytes), into: bytes, key: header.key, offset: 0)
        }
        start = begin + header.count
        return payload
    }

    private static func message(_ opcode: FrameOpcode, _ bytes: [UInt8]) throws(Violation) -> Event {
        guard opcode == .text else { return .message(.binary(Data(bytes))) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Violation(text: "a text that is not UTF-8")
        }
        return .message(.text(text))
    }

    private static func close(_ payload: [UInt8]) throws(Violation) -> Event {
        guard payload.count != 1 else { throw Violation(text: "a close frame with one byte") }
        guard payload.count >= 2 else { return .close(code: nil, reason: "") }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw Violation(text: "a reason that is not UTF-8")
        }
        return .close(code: UInt16(payload[0]) << 8 | UInt16(payload[1]), reason: reason)
    }
}
#endif
