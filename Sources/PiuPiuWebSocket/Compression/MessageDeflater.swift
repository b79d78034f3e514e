/// Compresses the messages of a connection (RFC 7692 §7.2.1).
///
/// It takes memory for the first message: up to 256 KiB, which depends on the window and the memory level.
package final class MessageDeflater {
    private let level: Int32
    private let windowBits: Int32
    private let memoryLevel: Int32
    private let keepsContext: Bool
    private var state: RawDeflater?
    /// Whether the window is that of an earlier message, and has to be emptied.
    private var needsReset = false

    /// Creates a deflater at the start of a connection.
    ///
    /// - Parameters:
    ///   - windowBits: The logarithm of the window, from 9 to 15. With 8, which zlib does not offer, the result is `nil`.
    ///   - keepsContext: Whether messages refer to those before; `false` with `client_no_context_takeover`.
    ///   - level: zlib's level, from 1 (fastest) to 9 (smallest).
    ///   - memoryLevel: zlib's memory level, from 1 to 9.
    package init?(windowBits: Int = 15, keepsContext: Bool = true, level: Int = 6, memoryLevel: Int = 8) {
        guard (9...15).contains(windowBits) else { return nil }
        self.windowBits = Int32(windowBits)
        self.keepsContext = keepsContext
        self.level = Int32(max(1, min(level, 9)))
        self.memoryLevel = Int32(max(1, min(memoryLevel, 9)))
    }

    /// Compresses a message.
    ///
    /// - Parameters:
    ///   - bytes: The whole message.
    ///   - output: The memory to append the payload of its frame to. It is unchanged after an error.
    /// - Throws: ``WebSocketViolation`` with the code 1011 if zlib fails; no message may follow.
    package func compress(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) throws(WebSocketViolation) {
        guard !bytes.isEmpty else {
            // The start of an empty block, whose sizes are left out (RFC 7692 §7.2.3.6).
            output.append(0)
            return
        }
        let start = output.count
        do throws(WebSocketViolation) {
            try append(bytes, to: &output, from: start)
        } catch {
            output.removeSubrange(start...)
            throw error
        }
    }

    private func append(
        _ bytes: UnsafeRawBufferPointer,
        to output: inout [UInt8],
        from start: Int
    ) throws(WebSocketViolation) {
        let state = try begin()
        var input = bytes
        var hasMore = true
        while hasMore {
            let end = output.count
            output.append(contentsOf: repeatElement(0, count: min(max(input.count / 2, 64), 1 << 16)))
            var produced = 0
            let step = output.withUnsafeMutableBytes { memory in
                state.step(&input, into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]), produced: &produced)
            }
            output.removeSubrange((end + produced)...)
            guard let step else { throw .outOfMemory }
            hasMore = step
        }
        guard output.count - start > 4, output.suffix(4).elementsEqual([0x00, 0x00, 0xFF, 0xFF]) else {
            throw .outOfMemory
        }
        output.removeLast(4)
        needsReset = !keepsContext
    }

    /// Returns zlib's state, ready for a message.
    private func begin() throws(WebSocketViolation) -> RawDeflater {
        guard let state else {
            guard let created = RawDeflater(level: level, windowBits: windowBits, memoryLevel: memoryLevel) else {
                throw .outOfMemory
            }
            state = created
            return created
        }
        if needsReset {
            guard state.reset() else { throw .outOfMemory }
            needsReset = false
        }
        return state
    }
}
