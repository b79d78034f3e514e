import HummingbirdCore
import NIOCore
import PiuPiuAsync

/// Writes the chunks of a response's body, no faster than the client takes them.
///
/// A write of Hummingbird's waits if the client's connection is known to be full. That becomes known on the connection's
/// thread, which does not see a chunk at once: a faster thread could hand over megabytes until then. Therefore the writer
/// waits for that thread from time to time.
struct ChunkWriter {
    /// How many bytes are handed over at most until the thread has seen them.
    private static let limit = 128 * 1024
    private static let bufferCount = 4

    private let eventLoop: any EventLoop
    private var unseen = 0
    /// Buffers that are filled in turn.
    ///
    /// New ones would be freed on the other thread, go back to the system, and return as zeroed pages, which costs more than
    /// the copy. One that is still being sent is replaced when it is filled.
    private var buffers: [ByteBuffer] = []
    private var next = 0

    /// Creates a writer.
    ///
    /// - Parameter eventLoop: The thread of the client's connection.
    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Writes a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - writer: The writer of the response's body.
    /// - Throws: An error if the connection is closed; `CancellationError`.
    mutating func write(_ chunk: Data, to writer: inout any ResponseBodyWriter) async throws {
        if unseen > 0, unseen + chunk.count > Self.limit {
            try await eventLoop.submit {}.get()
            unseen = 0
        }
        unseen += chunk.count
        try await writer.write(buffer(with: chunk))
    }

    private mutating func buffer(with chunk: Data) -> ByteBuffer {
        if next == buffers.count { buffers.append(ByteBuffer()) }
        let index = next
        next = (next + 1) % Self.bufferCount
        buffers[index].clear(minimumCapacity: chunk.count)
        buffers[index].writeBytes(chunk)
        return buffers[index]
    }
}
