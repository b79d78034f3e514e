extension FrameWriter {
    /// Masks a payload, or a part of one (RFC 6455 §5.3).
    ///
    /// - Parameters:
    ///   - source: The bytes to mask.
    ///   - target: The memory for the masked bytes, at least as many. It may be that of the source, but must not overlap
    ///     it otherwise.
    ///   - key: The key; its highest byte is the first.
    ///   - offset: The number of bytes of the payload before these.
    package static func mask(
        _ source: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        key: UInt32,
        offset: Int
    ) {
        guard let input = source.baseAddress, let output = target.baseAddress else { return }
        let count = min(source.count, target.count)
        // The key as it is in memory, starting with the byte for the first of these.
        let shift = UInt32(offset & 3) &* 8
        let rotated = (key &<< shift) | (shift == 0 ? 0 : key &>> (32 &- shift))
        let word = rotated.bigEndian
        let double = UInt64(word) << 32 | UInt64(word)
        let block = SIMD4<UInt64>(repeating: double)
        var index = 0
        while index &+ 64 <= count {
            let first = (input + index).loadUnaligned(as: SIMD4<UInt64>.self) ^ block
            let second = (input + index + 32).loadUnaligned(as: SIMD4<UInt64>.self) ^ block
            (output + index).storeBytes(of: first, as: SIMD4<UInt64>.self)
            (output + index + 32).storeBytes(of: second, as: SIMD4<UInt64>.self)
            index &+= 64
        }
        while index &+ 8 <= count {
            let bytes = (input + index).loadUnaligned(as: UInt64.self) ^ double
            (output + index).storeBytes(of: bytes, as: UInt64.self)
            index &+= 8
        }
        while index < count {
            let octet = UInt8(truncatingIfNeeded: rotated &>> (24 &- (UInt32(truncatingIfNeeded: index & 3) &* 8)))
            output.storeBytes(of: (input + index).load(as: UInt8.self) ^ octet, toByteOffset: index, as: UInt8.self)
            index &+= 1
        }
    }
}
