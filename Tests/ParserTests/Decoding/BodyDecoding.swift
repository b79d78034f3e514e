#if os(Linux)
import PiuPiuAsync

@testable import PiuPiuSockets

/// A whole body that is decoded as a transport would do it.
struct BodyDecoding {
    /// What came out, up to the limit.
    private(set) var output: [UInt8] = []
    /// Why it did not come to its end.
    private(set) var error: ContentDecodingError?
    /// Whether it was given up because more came out than the limit.
    private(set) var isLimited = false
    /// The most calls in a row that neither consumed nor produced anything.
    private(set) var longestIdleRun = 0

    private var idleRun = 0

    /// Decodes a body.
    ///
    /// - Parameters:
    ///   - body: The compressed bytes.
    ///   - codings: The value of `Content-Encoding`.
    ///   - piece: How many bytes arrive at a time.
    ///   - room: How many bytes are taken at a time.
    ///   - limit: After how many bytes it is given up.
    init(_ body: [UInt8], _ codings: String, piece: Int = .max, room: Int = 4096, limit: Int = 1 << 20) {
        do throws(ContentDecodingError) {
            guard var decoder = try ContentDecoder(contentEncoding: [codings]) else {
                output = body
                return
            }
            var rest = body[...]
            while !rest.isEmpty, !isLimited {
                // Memory of its own, so that a sanitizer sees what reads past its end.
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: min(piece, rest.count), alignment: 1)
                defer { bytes.deallocate() }
                bytes.copyBytes(from: rest.prefix(bytes.count))
                rest = rest.dropFirst(bytes.count)
                try decode(UnsafeRawBufferPointer(bytes), by: &decoder, room: room, limit: limit)
            }
            if !isLimited { try decoder.finish() }
        } catch {
            self.error = error
        }
    }

    private mutating func decode(
        _ bytes: UnsafeRawBufferPointer,
        by decoder: inout ContentDecoder,
        room: Int,
        limit: Int
    ) throws(ContentDecodingError) {
        var input = bytes
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { memory.deallocate() }
        repeat {
            let left = input.count
            let count = try decoder.decode(&input, into: memory)
            output += memory.prefix(count)
            idleRun = count == 0 && input.count == left ? idleRun + 1 : 0
            longestIdleRun = max(longestIdleRun, idleRun)
            isLimited = output.count >= limit
        } while !isLimited && (!input.isEmpty || decoder.mayHaveMore)
    }
}
#endif
