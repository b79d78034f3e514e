#if os(Linux)
/// The first bytes of a frame of zstd (RFC 8878 §3.1), looked at before the library gets them.
///
/// The library also knows formats from before the standard, which are no part of the content coding.
///
/// It has another way for a frame that happens to arrive as a whole, which accepts a window that is too large and refuses
/// a compressed block without a byte. So that the same bytes always end in the same way, the library gets the header as a
/// whole and by itself, after which it never takes that way.
struct ZstdFrameHeader {
    /// The window descriptor of 8 MiB, the largest window of the content coding (RFC 9659 §3); larger numbers are larger
    /// windows.
    private static let largestWindow: UInt8 = (23 - 10) << 3

    /// What the descriptor in the fifth byte says of those that follow it (RFC 8878 §3.1.1.1).
    private struct Fields {
        let hasWindow: Bool
        /// Where the length of the content stands.
        let contentLength: Range<Int>

        init(descriptor: UInt8) {
            // A frame of a single segment has no window of its own; it is as large as its content.
            hasWindow = descriptor & 0x20 == 0
            let start = 5 + (hasWindow ? 1 : 0) + [0, 1, 2, 4][Int(descriptor & 3)]
            contentLength = start..<start + [hasWindow ? 0 : 1, 2, 4, 8][Int(descriptor >> 6)]
        }
    }

    /// Its bytes so far.
    private(set) var bytes: [UInt8] = []
    private var count: Int { bytes.count }
    private var isSkipped = false
    private var fields: Fields?
    private var number: UInt64 = 0

    /// How many bytes the frame says that it holds, once that has arrived; `nil` if it does not say so.
    var contentLength: Int? {
        guard let field = fields?.contentLength, !field.isEmpty, count >= field.upperBound else { return nil }
        // Two bytes begin where one byte ends.
        return Int(clamping: field.count == 2 ? number + 256 : number)
    }

    /// Whether all of it is there.
    var isWhole: Bool {
        isSkipped && count > 3 || fields.map { count >= $0.contentLength.upperBound } ?? false
    }

    /// Looks at the next bytes of the frame.
    ///
    /// - Parameter bytes: What has not been looked at yet.
    /// - Returns: How many of them belong to the header; `nil` if the frame is none of the content coding.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let start = count
        for byte in bytes {
            // What follows the header is the library's.
            if isWhole { break }
            guard accepts(byte) else { return nil }
            self.bytes.append(byte)
        }
        return count - start
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        switch count {
        case 0:
            isSkipped = (0x50...0x5F).contains(byte)
            return isSkipped || byte == 0x28
        // 0xFD2FB528, or 0x184D2A5? of a frame to skip, with the lowest byte first.
        case 1: return byte == (isSkipped ? 0x2A : 0xB5)
        case 2: return byte == (isSkipped ? 0x4D : 0x2F)
        case 3: return byte == (isSkipped ? 0x18 : 0xFD)
        case 4: fields = Fields(descriptor: byte)
        case 5 where fields?.hasWindow == true: return byte <= Self.largestWindow
        default:
            guard let field = fields?.contentLength, field.contains(count) else { return true }
            number |= UInt64(byte) << (8 * UInt64(count - field.lowerBound))
        }
        return true
    }
}
#endif
