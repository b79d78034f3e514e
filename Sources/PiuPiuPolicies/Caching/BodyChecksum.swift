/// A checksum of 64 bits against damage by disks, not against attacks: unseeded xxHash64 over pieces of any size.
struct BodyChecksum {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
        primes.0 &+ primes.1, primes.1, 0, 0 &- primes.0
    )
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    /// Returns the checksum of bytes.
    static func of(_ bytes: Data) -> UInt64 {
        var checksum = BodyChecksum()
        checksum.take(bytes)
        return checksum.value
    }

    /// Adds the next bytes.
    mutating func take(_ data: Data) {
        data.withUnsafeBytes { take($0) }
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var position = 0
        if !rest.isEmpty {
            let missing = min(32 - rest.count, bytes.count)
            rest += bytes[..<missing]
            position = missing
            guard rest.count == 32 else { return }
            rest.withUnsafeBytes { Self.mix(&lanes, $0, 0) }
            rest.removeAll(keepingCapacity: true)
        }
        var mixed = lanes
        while position + 32 <= bytes.count {
            Self.mix(&mixed, bytes, position)
            position += 32
        }
        lanes = mixed
        rest += bytes[position...]
    }

    @inline(__always)
    private static func mix(
        _ lanes: inout (UInt64, UInt64, UInt64, UInt64),
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int
    ) {
        lanes.0 = round(lanes.0, word(bytes, start))
        lanes.1 = round(lanes.1, word(bytes, start + 8))
        lanes.2 = round(lanes.2, word(bytes, start + 16))
        lanes.3 = round(lanes.3, word(bytes, start + 24))
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* primes.1, 31) &* primes.0
    }

    @inline(__always)
    private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }

    /// The checksum of the bytes so far.
    var value: UInt64 {
        let (p1, p2, p3, p4, p5) = Self.primes
        var hash = p5
        if count >= 32 {
            hash =
                Self.rotated(lanes.0, 1) &+ Self.rotated(lanes.1, 7) &+ Self.rotated(lanes.2, 12)
                &+ Self.rotated(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { hash = (hash ^ Self.round(0, lane)) &* p1 &+ p4 }
        }
        hash &+= count
        var position = 0
        while position + 8 <= rest.count {
            let word = rest.withUnsafeBytes { Self.word($0, position) }
            hash = Self.rotated(hash ^ Self.round(0, word), 27) &* p1 &+ p4
            position += 8
        }
        if position + 4 <= rest.count {
            let word = rest[position..<position + 4].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            hash = Self.rotated(hash ^ word &* p1, 23) &* p2 &+ p3
            position += 4
        }
        for byte in rest[position...] { hash = Self.rotated(hash ^ UInt64(byte) &* p5, 11) &* p1 }
        hash = (hash ^ hash >> 33) &* p2
        hash = (hash ^ hash >> 29) &* p3
        return hash ^ hash >> 32
    }
}
