#if os(Linux)
import CShims

/// The state of zlib while it compresses to the gzip format.
package struct Compressor: ~Copyable {
    /// Whether the library is available on this system.
    package static var isAvailable: Bool { pp_format_is_available(PP_FORMAT_GZIP) }

    private let state: OpaquePointer

    /// Starts a compression with a level from 1 (fastest) to 9 (smallest); `nil` without the library or enough memory.
    init?(level: Int32) {
        guard let state = pp_gzip_compressor_create(level) else { return nil }
        self.state = state
    }

    deinit { pp_compressor_destroy(state) }

    /// Compresses until the input is consumed or the output memory is full.
    ///
    /// - Parameters:
    ///   - input: The bytes to compress; advanced past the consumed ones.
    ///   - isLast: Whether this is the end of the input.
    ///   - room: The memory for the output, which is not empty.
    /// - Returns: The number of output bytes, and whether more output is pending; `nil` if the library fails.
    mutating func step(
        _ input: inout UnsafeRawBufferPointer,
        isLast: Bool,
        into room: UnsafeMutableRawBufferPointer
    ) -> (count: Int, hasMore: Bool)? {
        guard let start = room.baseAddress else { return nil }
        var consumed = 0
        var produced = 0
        let step = pp_compressor_step(
            state,
            input.baseAddress,
            input.count,
            isLast,
            start,
            room.count,
            &consumed,
            &produced
        )
        guard step != PP_STEP_MALFORMED else { return nil }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(consumed))
        return (produced, step == PP_STEP_NEEDS_ROOM)
    }
}
#elseif canImport(zlib)
import zlib

/// The state of zlib while it compresses to the gzip format.
struct Compressor: ~Copyable {
    /// Whether the library is available on this system.
    static var isAvailable: Bool { true }

    // zlib keeps the address of its stream.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Starts a compression with a level from 1 (fastest) to 9 (smallest); `nil` if there is not enough memory.
    init?(level: Int32) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        // 16 selects gzip, 15 the largest window, and 8 is the default memory level.
        guard deflateInit2_(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses until the input is consumed or the output memory is full.
    ///
    /// - Parameters:
    ///   - input: The bytes to compress; advanced past the consumed ones.
    ///   - isLast: Whether this is the end of the input.
    ///   - room: The memory for the output, which is not empty.
    /// - Returns: The number of output bytes, and whether more output is pending; `nil` if the library fails.
    mutating func step(
        _ input: inout UnsafeRawBufferPointer,
        isLast: Bool,
        into room: UnsafeMutableRawBufferPointer
    ) -> (count: Int, hasMore: Bool)? {
        let offered = UInt32(clamping: input.count)
        let isAllOffered = Int(offered) == input.count
        let roomCount = UInt32(clamping: room.count)
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
        stream.pointee.avail_in = offered
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = roomCount
        let code = deflate(stream, isLast && isAllOffered ? Z_FINISH : Z_NO_FLUSH)
        let produced = Int(roomCount - stream.pointee.avail_out)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(Int(offered - stream.pointee.avail_in)))
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        switch code {
        case Z_STREAM_END: return (produced, false)
        case Z_OK, Z_BUF_ERROR: return (produced, produced == room.count || isLast && isAllOffered)
        default: return nil
        }
    }
}
#else
/// A system without zlib.
struct Compressor: ~Copyable {
    /// Whether the library is available on this system.
    static var isAvailable: Bool { false }

    init?(level: Int32) { return nil }

    mutating func step(
        _ input: inout UnsafeRawBufferPointer,
        isLast: Bool,
        into room: UnsafeMutableRawBufferPointer
    ) -> (count: Int, hasMore: Bool)? {
        nil
    }
}
#endif
