import Foundation

@testable import PiuPiuWebSocket

/// A frame that a client sent, without its mask.
struct ClientFrame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    var isFinal = true
    var isCompressed = false
    var isMasked = true

    static func text(_ text: String) -> ClientFrame { ClientFrame(opcode: 1, payload: Array(text.utf8)) }
    static func close(_ code: UInt16, _ reason: String = "") -> ClientFrame {
        ClientFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }

    /// Takes a frame from the beginning of bytes; `nil` if it is not complete.
    static func take(from bytes: inout [UInt8]) -> ClientFrame? {
        guard bytes.count >= 2 else { return nil }
        var start = 2
        var count = Int(bytes[1] & 0x7F)
        let extra = count == 126 ? 2 : count == 127 ? 8 : 0
        guard bytes.count >= start + extra else { return nil }
        if extra > 0 { count = bytes[start..<(start + extra)].reduce(0) { $0 << 8 | Int($1) } }
        start += extra
        let isMasked = bytes[1] & 0x80 != 0
        let key = isMasked ? Array(bytes.dropFirst(start).prefix(4)) : []
        start += isMasked ? 4 : 0
        guard bytes.count >= start + count else { return nil }
        var payload = Array(bytes[start..<(start + count)])
        if isMasked { for index in payload.indices { payload[index] ^= key[index & 3] } }
        let first = bytes[0]
        bytes.removeFirst(start + count)
        return ClientFrame(
            opcode: first & 0xF,
            payload: payload,
            isFinal: first & 0x80 != 0,
            isCompressed: first & 0x40 != 0,
            isMasked: isMasked
        )
    }
}

/// Returns a frame as a server sends it.
func serverFrame(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, bits: UInt8 = 0) -> [UInt8] {
    let first = (isFinal ? 0x80 : 0) | bits | opcode
    switch payload.count {
    case ...125: return [first, UInt8(payload.count)] + payload
    case ...65535: return [first, 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    default:
        let count = UInt64(payload.count)
        return [first, 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) } + payload
    }
}

func serverText(_ text: String) -> [UInt8] { serverFrame(1, Array(text.utf8)) }

func serverClose(_ code: UInt16, _ reason: String = "") -> [UInt8] {
    serverFrame(8, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
}
