/// The result of a step of zlib.
enum DeflateStep {
    /// All of the input is consumed, and its output is written.
    case needsInput
    /// The memory is full, and there may be more output.
    case needsRoom
    /// The stream ended with a final block.
    case ended
    /// The input is malformed, or there is not enough memory. Output before the fault is written.
    case failed(WebSocketViolation)
}

#if os(Linux)
import CShims

/// The state of zlib while it decompresses raw deflate.
final class RawInflater {
    /// Whether the library is available on this system.
    static var isAvailable: Bool { pp_format_is_available(PP_FORMAT_RAW_DEFLATE) }

    private let state: OpaquePointer
    private let windowBits: Int32

    /// Creates an inflater with a window of 2^`windowBits` bytes; `nil` without the library or enough memory.
    init?(windowBits: Int32) {
        guard let state = pp_raw_inflater_create(windowBits) else { return nil }
        self.state = state
        self.windowBits = windowBits
    }

    deinit { pp_decompressor_destroy(state) }

    /// Whether the input so far ends with a whole block and a whole byte.
    var isBetweenBlocks: Bool { pp_raw_inflater_is_between_blocks(state) }

    /// Starts over with an empty window; returns whether that is possible.
    func reset() -> Bool { pp_raw_inflater_reset(state, windowBits) }

    /// Begins another stream after the end of one, and keeps the window; returns whether that is possible.
    func beginNextStream() -> Bool { pp_raw_inflater_continue(state) }

    /// Decompresses until the input is consumed, the memory is full, or the stream ends.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes; advanced past the consumed ones.
    ///   - room: The memory for the output, which is not empty.
    ///   - produced: The number of bytes written.
    /// - Returns: The reason why it stopped.
    func step(
        _ input: inout UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        produced: inout Int
    ) -> DeflateStep {
        guard let start = room.baseAddress else { return .failed(.outOfMemory) }
        var consumed = 0
        let step = pp_decompressor_step(state, input.baseAddress, input.count, start, room.count, &consumed, &produced)
        input.skip(consumed)
        switch step {
        case PP_STEP_ENDED: return .ended
        case PP_STEP_NEEDS_ROOM: return .needsRoom
        case PP_STEP_OUT_OF_MEMORY: return .failed(.outOfMemory)
        case PP_STEP_NEEDS_INPUT where input.isEmpty || consumed > 0: return .needsInput
        default: return .failed(.malformedCompression)
        }
    }
}
#elseif canImport(zlib)
import zlib

/// The state of zlib while it decompresses raw deflate.
final class RawInflater {
    /// Whether the library is available on this system.
    static var isAvailable: Bool { true }

    // zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    private let windowBits: Int32

    /// Creates an inflater with a window of 2^`windowBits` bytes; `nil` if there is not enough memory.
    init?(windowBits: Int32) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, -windowBits, ZLIB_VERSION, size) == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
        self.windowBits = windowBits
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the input so far ends with a whole block and a whole byte.
    var isBetweenBlocks: Bool { stream.pointee.data_type == 128 }

    /// Starts over with an empty window; returns whether that is possible.
    func reset() -> Bool { inflateReset2(stream, -windowBits) == Z_OK }

    /// Begins another stream after the end of one, and keeps the window; returns whether that is possible.
    func beginNextStream() -> Bool { inflateResetKeep(stream) == Z_OK }

    /// Decompresses until the input is consumed, the memory is full, or the stream ends.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes; advanced past the consumed ones.
    ///   - room: The memory for the output, which is not empty.
    ///   - produced: The number of bytes written.
    /// - Returns: The reason why it stopped.
    func step(
        _ input: inout UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        produced: inout Int
    ) -> DeflateStep {
        let offered = UInt32(clamping: input.count)
        let roomCount = UInt32(clamping: room.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = offered
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = roomCount
        let code = inflate(stream, Z_NO_FLUSH)
        let consumed = Int(offered - stream.pointee.avail_in)
        produced = Int(roomCount - stream.pointee.avail_out)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        input.skip(consumed)
        switch code {
        case Z_STREAM_END: return .ended
        case Z_MEM_ERROR: return .failed(.outOfMemory)
        case Z_OK, Z_BUF_ERROR:
            if produced == Int(roomCount) { return .needsRoom }
            return input.isEmpty || consumed > 0 ? .needsInput : .failed(.malformedCompression)
        default: return .failed(.malformedCompression)
        }
    }
}
#else
/// A system without zlib.
final class RawInflater {
    /// Whether the library is available on this system.
    static var isAvailable: Bool { false }

    init?(windowBits: Int32) { return nil }

    var isBetweenBlocks: Bool { false }

    func reset() -> Bool { false }

    func beginNextStream() -> Bool { false }

    func step(
        _ input: inout UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        produced: inout Int
    ) -> DeflateStep {
        .failed(.outOfMemory)
    }
}
#endif
