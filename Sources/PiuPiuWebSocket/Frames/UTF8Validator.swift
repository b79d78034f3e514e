/// Checks whether bytes are UTF-8, however they arrive (RFC 3629 §4).
///
/// It rejects the first byte that no valid text can have there, also one of a sequence that is incomplete.
struct UTF8Validator {
    /// The number of bytes that the sequence still needs.
    private var missing: UInt8 = 0
    /// The bounds of the next byte of the sequence.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether no sequence is incomplete.
    var isAtBoundary: Bool { missing == 0 }

    /// Checks further bytes; returns whether all of them may follow those before.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        var index = 0
        let count = bytes.count
        while index < count {
            if missing == 0 {
                // Most texts are ASCII for the most part.
                while index &+ 8 <= count {
                    let high = (start + index).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080
                    guard high == 0 else {
                        index &+= UInt64(littleEndian: high).trailingZeroBitCount >> 3
                        break
                    }
                    index &+= 8
                }
                guard index < count else { return true }
            }
            guard accept(start.load(fromByteOffset: index, as: UInt8.self)) else { return false }
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private mutating func accept(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest, byte <= highest else { return false }
            missing &-= 1
            lowest = 0x80
            highest = 0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            // Neither overlong forms nor surrogates.
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            // Neither overlong forms nor anything beyond U+10FFFF.
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }
}
