#if os(Linux)
import CShims

/// The state of zlib while it compresses messages to raw deflate.
final class RawDeflater {
    private let state: OpaquePointer

    /// Creates a deflater with a window of 2^`windowBits` bytes, from 9 to 15; `nil` without the library or enough memory.
    init?(level: Int32, windowBits: Int32, memoryLevel: Int32) {
        guard let state = pp_raw_deflater_create(level, windowBits, memoryLevel) else { return nil }
        self.state = state
    }

    deinit { pp_compressor_destroy(state) }

    /// Starts over with an empty window; returns whether that is possible.
    func reset() -> Bool { pp_raw_deflater_reset(state) }

    /// Compresses a message, and ends it with an empty block.
    ///
    /// - Parameters:
    ///   - input: The bytes to compress; advanced past the consumed ones.
    ///   - room: The memory for the output, of more than six bytes.
    ///   - produced: The number of bytes written.
    /// - Returns: Whether there may be more output; `nil` if the library fails.
    func step(
        _ input: inout UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        produced: inout Int
    ) -> Bool? {
        guard let start = room.baseAddress else { return nil }
        var consumed = 0
        let step = pp_raw_deflater_step(state, input.baseAddress, input.count, start, room.count, &consumed, &produced)
        input.skip(consumed)
        switch step {
        case PP_STEP_NEEDS_INPUT: return !input.isEmpty
        case PP_STEP_NEEDS_ROOM: return true
        default: return nil
        }
    }
}
#elseif canImport(zlib)
import zlib

/// The state of zlib while it compresses messages to raw deflate.
final class RawDeflater {
    // zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a deflater with a window of 2^`windowBits` bytes, from 9 to 15; `nil` if there is not enough memory.
    init?(level: Int32, windowBits: Int32, memoryLevel: Int32) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let code = deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            -windowBits,
            memoryLevel,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        guard code == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Starts over with an empty window; returns whether that is possible.
    func reset() -> Bool { deflateReset(stream) == Z_OK }

    /// Compresses a message, and ends it with an empty block.
    ///
    /// - Parameters:
    ///   - input: The bytes to compress; advanced past the consumed ones.
    ///   - room: The memory for the output, of more than six bytes.
    ///   - produced: The number of bytes written.
    /// - Returns: Whether there may be more output; `nil` if the library fails.
    func step(
        _ input: inout UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        produced: inout Int
    ) -> Bool? {
        let offered = UInt32(clamping: input.count)
        let roomCount = UInt32(clamping: room.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = offered
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = roomCount
        let code = deflate(stream, Int(offered) == input.count ? Z_SYNC_FLUSH : Z_NO_FLUSH)
        produced = Int(roomCount - stream.pointee.avail_out)
        input.skip(Int(offered - stream.pointee.avail_in))
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        guard code == Z_OK || code == Z_BUF_ERROR else { return nil }
        return produced == Int(roomCount) || !input.isEmpty
    }
}
#else
/// A system without zlib.
final class RawDeflater {
    init?(level: Int32, windowBits: Int32, memoryLevel: Int32) { return nil }

    func reset() -> Bool { false }

    func step(
        _ input: inout UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        produced: inout Int
    ) -> Bool? {
        nil
    }
}
#endif
