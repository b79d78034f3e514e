#if os(Linux)
/// The header of a zstd frame (RFC 8878 §3.1), inspected before the library receives it.
///
/// The library also accepts formats that predate the standard and are not part of the content coding.
///
/// The library handles a frame that happens to arrive whole differently: it accepts a window that is too large and rejects an
/// empty compressed block. To make the same bytes always give the same result, the library receives the whole header on its
/// own, after which it handles all frames alike.
struct ZstdFrameHeader {
    /// The window descriptor of 8 MiB, the largest window of the content coding (RFC 9659 §3).
    ///
    /// Greater descriptors mean larger windows.
    private static let largestWindow: UInt8 = (23 - 10) << 3

    /// The fields that the descriptor in the fifth byte announces (RFC 8878 §3.1.1.1).
    private struct Fields {
        let hasWindow: Bool
        /// The position of the content length.
        let contentLength: Range<Int>

        init(descriptor: UInt8) {
            // A single-segment frame has no window descriptor; its window is as large as its content.
            hasWindow = descriptor & 0x20 == 0
            let start = 5 + (hasWindow ? 1 : 0) + [0, 1, 2, 4][Int(descriptor & 3)]
            contentLength = start..<start + [hasWindow ? 0 : 1, 2, 4, 8][Int(descriptor >> 6)]
        }
    }

    /// The bytes of the header so far.
    private(set) var bytes: [UInt8] = []
    private var count: Int { bytes.count }
    private var isSkipped = false
    private var fields: Fields?
    private var number: UInt64 = 0

    /// The content length that the frame declares; `nil` if it declares none or the field has not arrived.
    var contentLength: Int? {
        guard let field = fields?.contentLength, !field.isEmpty, count >= field.upperBound else { return nil }
        // The two-byte field starts where the one-byte field ends, at 256.
        return Int(clamping: field.count == 2 ? number + 256 : number)
    }

    /// Whether the header is complete.
    var isWhole: Bool {
        isSkipped && count > 3 || fields.map { count >= $0.contentLength.upperBound } ?? false
    }

    /// Whether the next byte is the window descriptor; if that byte is refused, the window is too large.
    var endsBeforeWindow: Bool { count == 5 && fields?.hasWindow == true }

    /// Inspects the next bytes of the frame.
    ///
    /// - Parameter bytes: The bytes that have not been inspected.
    /// - Returns: The number of bytes that belong to the header; `nil` if the frame does not belong to the content coding.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let start = count
        for byte in bytes {
            // The bytes after the header are for the library.
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
        // 0xFD2FB528, or 0x184D2A5? of a skippable frame, lowest byte first.
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
