#if os(Linux)
/// The first bytes of a frame of zstd (RFC 8878 §3.1), looked at before the library gets them.
///
/// The library also knows formats from before the standard, which are no part of the content coding, and it accepts a
/// frame whose window is too large if the whole frame happens to arrive at once.
struct ZstdFrameHeader {
    /// The window descriptor of 8 MiB, the largest window of the content coding (RFC 9659 §3); larger numbers are larger
    /// windows.
    private static let largestWindow: UInt8 = (23 - 10) << 3

    private var count = 0
    private var hasWindow = false

    /// Looks at the next bytes of the frame.
    ///
    /// - Parameter bytes: What the library gets next.
    /// - Returns: Whether the frame is one of the content coding, as far as these bytes tell.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes.prefix(6 - count) {
            guard accepts(byte) else { return false }
            count += 1
        }
        return true
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        switch count {
        case 0:
            hasWindow = byte == 0x28
            return hasWindow || (0x50...0x5F).contains(byte)
        // 0xFD2FB528, or 0x184D2A5? of a frame to skip, with the lowest byte first.
        case 1: return byte == (hasWindow ? 0xB5 : 0x2A)
        case 2: return byte == (hasWindow ? 0x2F : 0x4D)
        case 3: return byte == (hasWindow ? 0xFD : 0x18)
        case 4:
            // A frame of a single segment has no window of its own; it is as large as its content.
            if byte & 0x20 != 0 { hasWindow = false }
            return true
        default: return !hasWindow || byte <= Self.largestWindow
        }
    }
}
#endif
