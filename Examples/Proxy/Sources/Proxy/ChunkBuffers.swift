import NIOCore
import PiuPiuAsync

/// A few buffers that are filled in turn.
///
/// A new buffer for each chunk would be freed on the server's thread, go back to the system, and return as zeroed pages,
/// which costs more than the copy. Filling a buffer that is still being sent allocates a new one.
struct ChunkBuffers {
    private static let count = 4
    private var buffers: [ByteBuffer] = []
    private var next = 0

    /// Copies a chunk into a buffer.
    ///
    /// - Parameter chunk: The chunk.
    /// - Returns: The buffer, to be sent.
    mutating func buffer(with chunk: Data) -> ByteBuffer {
        if buffers.count < Self.count, next == buffers.count { buffers.append(ByteBuffer()) }
        let index = next
        next = (next + 1) % Self.count
        buffers[index].clear(minimumCapacity: chunk.count)
        buffers[index].writeBytes(chunk)
        return buffers[index]
    }
}
