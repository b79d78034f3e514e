#if os(Linux)
import CShims

/// The decoder of one coding, including its format's rules for the bytes before and after a compressed stream.
final class DecodingStage {
    private enum Position {
        /// Before the first compressed stream.
        case start
        /// In a compressed stream.
        case inside
        /// After a compressed stream, where another may follow.
        case between
        /// In the zero padding after the last gzip member.
        case padding
    }

    private let coding: ContentCoding
    private let budget: WindowBudget?
    /// The share taken from the budget.
    private var share: WindowBudget.Share?
    private var decompressor: Decompressor
    private var position = Position.start
    /// The first byte of `deflate`, held until the second byte shows which format begins.
    private var firstByte: UInt8?
    private var frameHeader = ZstdFrameHeader()
    /// The number of bytes decoded from the current frame.
    private var frameLength = 0

    /// Whether more output may follow without more input.
    private(set) var mayHaveMore = false

    /// Whether the bytes so far are complete.
    var isComplete: Bool { position == .between || position == .padding }

    /// Creates a stage for a coding.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - budget: The budget for the memory of its window; `nil` if that memory does not count.
    /// - Throws: ``ContentDecodingError/outOfMemory``.
    init(_ coding: ContentCoding, budget: WindowBudget?) throws(ContentDecodingError) {
        self.coding = coding
        self.budget = budget
        decompressor = try Decompressor(coding.format)
    }

    /// Decodes until the input is consumed or the output memory is full; advances both.
    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into room: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) {
        while !room.isEmpty, !input.isEmpty || mayHaveMore {
            if position != .inside {
                guard try beginStream(&input, room: &room) else { return }
            }
            if coding == .zstd, try decodeFrameHeader(&input, into: &room) { continue }
            let roomCount = room.count
            let step = try decompressor.step(&input, into: &room)
            frameLength += roomCount - room.count
            mayHaveMore = step == PP_STEP_NEEDS_ROOM
            guard step == PP_STEP_ENDED else { continue }
            position = .between
            // The library does not check the length if the last block is empty.
            if let length = frameHeader.contentLength, length != frameLength { throw .malformed }
        }
    }

    /// Collects the bytes of a frame's header, and passes the complete header to the library; returns whether it took any
    /// bytes.
    private func decodeFrameHeader(
        _ input: inout UnsafeRawBufferPointer,
        into room: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Bool {
        guard let count = frameHeader.take(input) else {
            throw frameHeader.endsBeforeWindow ? .windowTooLarge : .malformed
        }
        guard count > 0 else { return false }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(count))
        guard frameHeader.isWhole else { return true }
        let step = frameHeader.bytes.withUnsafeBytes { bytes in
            var bytes = bytes
            return Result { () throws(ContentDecodingError) in try decompressor.step(&bytes, into: &room) }
        }
        // A frame cannot end with its header.
        if try step.get() == PP_STEP_ENDED { throw .malformed }
        return true
    }

    /// Starts the stream that the next byte belongs to.
    ///
    /// - Returns: Whether a stream has started.
    /// - Throws: ``ContentDecodingError/malformed`` if this stream, or any, must not start here.
    private func beginStream(
        _ input: inout UnsafeRawBufferPointer,
        room: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Bool {
        guard let byte = input.first else { return false }
        switch (coding, position) {
        case (.deflate, .start): return try beginDeflate(&input, room: &room)
        case (_, .start): try takeWindow(firstByte: byte)
        case (.zstd, _):
            frameHeader = ZstdFrameHeader()
            frameLength = 0
        case (.gzip, .between) where byte == 0x1F: try decompressor.reset(PP_FORMAT_GZIP)
        case (.gzip, _):
            guard input.allSatisfy({ $0 == 0 }) else { throw .malformed }
            input = UnsafeRawBufferPointer(rebasing: input.suffix(0))
            position = .padding
            return false
        default: throw .malformed
        }
        position = .inside
        return true
    }

    /// Reserves the memory for the coding's window; throws ``ContentDecodingError/outOfMemory`` if the budget is exhausted.
    private func takeWindow(firstByte: UInt8) throws(ContentDecodingError) {
        let size = coding.windowSize(firstByte: firstByte)
        guard let budget, size > 0 else { return }
        share = budget.take(size)
        if share == nil { throw .outOfMemory }
    }

    /// Distinguishes the zlib format from raw deflate by the two bytes of zlib's header (RFC 1950 §2.2).
    ///
    /// No encoder starts raw deflate with these bytes: they would be a stored block with a bit set in its padding.
    private func beginDeflate(
        _ input: inout UnsafeRawBufferPointer,
        room: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Bool {
        if firstByte == nil {
            firstByte = input.first
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
        }
        guard let first = firstByte, let second = input.first else { return false }
        let isHeader = first & 0x0F == 8 && (Int(first) << 8 | Int(second)).isMultiple(of: 31)
        if !isHeader { try decompressor.reset(PP_FORMAT_RAW_DEFLATE) }
        // One byte is not enough to produce output.
        try withUnsafeBytes(of: first) { bytes throws(ContentDecodingError) in
            var bytes = bytes
            _ = try decompressor.step(&bytes, into: &room)
        }
        position = .inside
        return true
    }
}

/// The bytes between two codings of a body.
final class IntermediateBlock {
    private static let size = 16 * 1024

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    /// The bytes that the next coding has not consumed.
    var rest = UnsafeRawBufferPointer(start: nil, count: 0)

    deinit { memory.deallocate() }

    /// Fills the block, whose previous bytes were all consumed, and returns the number of bytes written.
    func fill(
        _ body: (_ room: inout UnsafeMutableRawBufferPointer) throws(ContentDecodingError) -> Void
    ) throws(ContentDecodingError) -> Int {
        var room = memory
        try body(&room)
        rest = UnsafeRawBufferPointer(rebasing: memory.dropLast(room.count))
        return rest.count
    }
}
#endif
