/// Decompresses the messages of a connection, as their bytes arrive (RFC 7692 §7.2.2).
///
/// It takes memory when the first compressed message arrives: 7 KiB, and the window.
package final class MessageInflater {
    /// The end of a message, which the server leaves out: the sizes of an empty block that is not compressed.
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private let windowBits: Int32
    private let keepsContext: Bool
    private var state: RawInflater?
    /// Whether the window is that of an earlier message, and has to be emptied.
    private var needsReset = false
    /// Whether compressed bytes of the message in progress have arrived.
    private var hasBegun = false
    /// Whether the last block was a final one, and nothing has followed yet.
    private var hasEnded = false

    /// Creates an inflater at the start of a connection.
    ///
    /// - Parameters:
    ///   - windowBits: The logarithm of the server's window, from 8 to 15.
    ///   - keepsContext: Whether messages may refer to those before; `false` with `server_no_context_takeover`.
    package init(windowBits: Int = 15, keepsContext: Bool = true) {
        // Older versions of zlib compress with 9 bits where 8 are asked for.
        self.windowBits = Int32(max(9, min(windowBits, 15)))
        self.keepsContext = keepsContext
    }

    /// Decompresses a part of a message.
    ///
    /// - Parameters:
    ///   - part: The compressed bytes.
    ///   - buffer: The content so far.
    ///   - limit: The largest size of the content.
    /// - Throws: A violation, if the bytes are malformed or the content is larger than the limit.
    func inflate(
        _ part: UnsafeRawBufferPointer,
        into buffer: MessageBuffer,
        limit: Int
    ) throws(WebSocketViolation) {
        guard !part.isEmpty else { return }
        let state = try begin()
        var input = part
        while true {
            if hasEnded {
                // A message can have several streams, each with a final block (RFC 7692 §7.2.3.4).
                guard !input.isEmpty else { return }
                guard state.beginNextStream() else { throw .outOfMemory }
                hasEnded = false
            }
            let room = try buffer.room(expected: min(input.count, 1 << 14) * 4, limit: limit)
            var produced = 0
            let step = state.step(&input, into: room, produced: &produced)
            buffer.commit(produced)
            guard buffer.count <= limit else { throw .messageTooBig }
            switch step {
            case .failed(let violation): throw violation
            case .ended: hasEnded = true
            case .needsRoom: break
            case .needsInput: if input.isEmpty { return }
            }
        }
    }

    /// Decompresses the end of a message; the parameters are those of ``inflate(_:into:limit:)``.
    func finish(into buffer: MessageBuffer, limit: Int) throws(WebSocketViolation) {
        // Some servers send nothing at all for an empty message.
        guard hasBegun, let state else { return }
        if !hasEnded {
            let count = buffer.count
            do throws(WebSocketViolation) {
                try Self.tail.withUnsafeBufferPointer { (tail) throws(WebSocketViolation) in
                    try inflate(UnsafeRawBufferPointer(tail), into: buffer, limit: limit)
                }
            } catch {
                throw error == .malformedCompression ? .incompleteCompression : error
            }
            // As the sizes of an empty block, and not as content of an incomplete one.
            guard buffer.count == count, hasEnded || state.isBetweenBlocks else { throw .incompleteCompression }
        }
        hasBegun = false
        needsReset = !keepsContext
    }

    /// Returns zlib's state, ready for bytes of the message.
    private func begin() throws(WebSocketViolation) -> RawInflater {
        guard let state else {
            guard let created = RawInflater(windowBits: windowBits) else { throw .outOfMemory }
            state = created
            hasBegun = true
            return created
        }
        hasBegun = true
        if needsReset {
            guard state.reset() else { throw .outOfMemory }
            needsReset = false
            hasEnded = false
        }
        return state
    }
}
