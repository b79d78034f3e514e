import Foundation

/// Makes compressed bodies: the stored blocks of RFC 1951 for any bytes, and two bodies compressed by zlib.
enum Deflate {
    /// A stream of stored blocks.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(40)
            rest = rest.dropFirst(40)
            let count = UInt8(block.count)
            result += [rest.isEmpty ? 1 : 0, count, 0, ~count, 0xFF] + block
        } while !rest.isEmpty
        return result
    }

    /// Wraps a stream for gzip (RFC 1952).
    static func gzip(_ stream: [UInt8], of bytes: [UInt8], name: String? = nil) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 3]
        let fileName: [UInt8] = name.map { Array($0.utf8) + [0] } ?? []
        let sums = littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
        return header + fileName + stream + sums
    }

    /// Wraps a stream for deflate (RFC 1950).
    static func zlib(_ stream: [UInt8], of bytes: [UInt8]) -> [UInt8] {
        [0x78, 0x9C] + stream + littleEndian(adler32(bytes)).reversed()
    }

    /// A body with the codes of its own that zlib chose, and what was compressed.
    static let dynamic: (stream: [UInt8], bytes: [UInt8]) = (decoded(dynamicText), text(lines: 24))
    /// A body with the fixed codes, and what was compressed.
    static let fixed: (stream: [UInt8], bytes: [UInt8]) = (decoded(fixedText), Array(text(lines: 24).prefix(200)))

    private static let dynamicText =
        "nZNBCoUwDESvMgdwoTGViqcp/IhCUbFZeHzx3yCzLo/pJC91Pww9zhUFbo/Dt+K47bLiDbs3q2uH0v6PDb9zQf2QIY5oHJmJj01xRlKcGYkcJfpMxNg"
        + "ysZ2hZywQJkmVWSvjwszIwNggiUnKRKdRlJGVuVfGCFUmKROdksSm9wI="
    private static let fixedText =
        "y8nMS1UwUMhPU0hUKEmtKFEoyUgsUShKLUhNLClWyCwpTs1J01FILAZLFiuk5Fsr5IC0GJKuxYR0LZZEawEA"

    private static func text(lines: Int) -> [UInt8] {
        (0..<lines).flatMap { Array("line \($0 * $0) of a text that repeats itself, as texts do; ".utf8) }
    }

    private static func decoded(_ text: String) -> [UInt8] {
        Data(base64Encoded: text).map { Array($0) } ?? []
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static let crcTable: [UInt32] = (0..<256).map { index -> UInt32 in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1 }
        return value
    }

    /// The checksum of gzip.
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes { sum = crcTable[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
        return ~sum
    }

    /// The checksum of zlib.
    static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }
}
