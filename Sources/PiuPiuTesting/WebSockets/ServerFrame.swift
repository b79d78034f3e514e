#if WebSockets
import PiuPiuAsync

/// Frames as a server sends them: without a mask (RFC 6455 §5.1).
enum ServerFrame {
    /// Returns the bytes of a frame.
    static func bytes(_ opcode: FrameOpcode, _ payload: some Collection<UInt8>, isFinal: Bool = true) -> [UInt8] {
        let count = payload.count
        var bytes = [(isFinal ? 0x80 : 0) | opcode.rawValue]
        bytes.reserveCapacity(count + 10)
        switch count {
        case ...125: bytes.append(UInt8(count))
        case ...0xFFFF: bytes += [126, UInt8(count >> 8), UInt8(count & 0xFF)]
        default:
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        bytes += payload
        return bytes
    }

    /// Returns the bytes of a message in one frame.
    static func bytes(_ message: WebSocketMessage) -> [UInt8] {
        switch message {
        case .text(let text): bytes(.text, text.utf8)
        case .binary(let data): bytes(.binary, data)
        }
    }

    /// Returns the bytes of a close frame; without a code, it is empty.
    static func close(_ code: UInt16?, _ reason: String = "") -> [UInt8] {
        guard let code else { return bytes(.close, []) }
        return bytes(.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))
    }

    /// Returns the header fields that accept a handshake (RFC 6455 §4.2.2).
    ///
    /// Fields of the caller replace those of the same name.
    static func acceptance(
        of key: String?,
        subprotocol: String?,
        replacing own: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        var fields = [(name: "Upgrade", value: "websocket"), (name: "Connection", value: "Upgrade")]
        fields.append((name: "Sec-WebSocket-Accept", value: WebSocketKey(text: key ?? "").accept))
        if let subprotocol { fields.append((name: "Sec-WebSocket-Protocol", value: subprotocol)) }
        let names = Set(own.map { $0.name.lowercased() })
        return fields.filter { !names.contains($0.name.lowercased()) } + own
    }
}
#endif
