#if os(Linux)
import CShims

/// The state of one of the system's decompression libraries.
struct Decompressor: ~Copyable {
    private let state: OpaquePointer

    /// Starts a decompression; throws ``ContentDecodingError/outOfMemory`` without the library or enough memory.
    init(_ format: PPFormat) throws(ContentDecodingError) {
        guard let state = pp_decompressor_create(format) else { throw .outOfMemory }
        self.state = state
    }

    deinit { pp_decompressor_destroy(state) }

    /// Starts over with another format of the same library.
    ///
    /// - Parameter format: The new format of the input; not brotli.
    /// - Throws: ``ContentDecodingError/outOfMemory`` if the reset fails.
    mutating func reset(_ format: PPFormat) throws(ContentDecodingError) {
        guard pp_decompressor_reset(state, format) else { throw .outOfMemory }
    }

    /// Decompresses until the input is consumed, the output memory is full, or the compressed stream ends.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes; advanced past the consumed ones.
    ///   - room: The memory for the output, which is not empty; advanced past the output.
    /// - Returns: The reason why it stopped: it needs input, it needs memory, or the stream ended.
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
        // A step that leaves input must have filled the room or ended the stream; otherwise the caller would loop
        // forever.
        if consumed == 0, produced == 0, !input.isEmpty, step == PP_STEP_NEEDS_INPUT { throw .malformed }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(consumed))
        room = UnsafeMutableRawBufferPointer(rebasing: room.dropFirst(produced))
        return step
    }
}
#endif
