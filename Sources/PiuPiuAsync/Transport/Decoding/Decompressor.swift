#if os(Linux)
import CurlShim

/// The state of one of the system's decompression libraries.
struct Decompressor: ~Copyable {
    private let state: OpaquePointer

    /// Begins a decompression.
    ///
    /// - Parameter format: What is decompressed.
    /// - Throws: ``ContentDecodingError/outOfMemory`` if there is no memory, or no library.
    init(_ format: PPFormat) throws(ContentDecodingError) {
        guard let state = pp_decompressor_create(format) else { throw .outOfMemory }
        self.state = state
    }

    deinit { pp_decompressor_destroy(state) }

    /// Begins anew, with a format of the same library.
    ///
    /// - Parameter format: What is decompressed from now on; not brotli.
    /// - Throws: ``ContentDecodingError/outOfMemory`` if it cannot.
    mutating func reset(_ format: PPFormat) throws(ContentDecodingError) {
        guard pp_decompressor_reset(state, format) else { throw .outOfMemory }
    }

    /// Decompresses until the input is used up, the room is full, or the compressed stream ends.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes; advanced past what was consumed.
    ///   - room: The memory for what comes out, which is not empty; advanced past what was produced.
    /// - Returns: Why it stopped: for input, for room, or at an end.
    /// - Throws: ``ContentDecodingError/malformed`` or ``ContentDecodingError/outOfMemory``.
    mutating func step(
        _ input: inout UnsafeRawBufferPointer,
        into room: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> PPStep {
        guard let start = room.baseAddress else { return PP_STEP_NEEDS_ROOM }
        var consumed = 0
        var produced = 0
        let step = pp_decompressor_step(state, input.baseAddress, input.count, start, room.count, &consumed, &produced)
        switch step {
        case PP_STEP_MALFORMED: throw .malformed
        case PP_STEP_OUT_OF_MEMORY: throw .outOfMemory
        default: break
        }
        // A step that leaves input must have filled the room or have ended; if not, going on would never end.
        if consumed == 0, produced == 0, !input.isEmpty, step == PP_STEP_NEEDS_INPUT { throw .malformed }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(consumed))
        room = UnsafeMutableRawBufferPointer(rebasing: room.dropFirst(produced))
        return step
    }
}
#endif
