/// Reads the files of a body on a queue of its own, so that a slow disk blocks nothing else.
actor SegmentReader {
    private let queue = FileQueue()
    private let segments: [RequestBodySegment]
    private let isCompressed: Bool
    private let outlet: OutboundBody

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - segments: The pieces of the body.
    ///   - isCompressed: Whether the body is compressed with gzip on its way.
    ///   - outlet: Takes the bytes.
    init(_ segments: [RequestBodySegment], isCompressed: Bool, outlet: OutboundBody) {
        self.segments = segments
        self.isCompressed = isCompressed
        self.outlet = outlet
    }

    /// Passes on all bytes, and the end or an error.
    func run() async {
        do {
            let encoder = isCompressed ? try GzipEncoder() : nil
            for segment in segments {
                switch segment {
                case .bytes(let data): guard try await write(data, encoder) else { return }
                case .file(let url, let length):
                    var file = try SegmentFile(url, length: length)
                    while let piece = try file.next() {
                        guard try await write(piece, encoder) else { return }
                    }
                }
            }
            if let encoder {
                guard await outlet.write(try encoder.encode(Data(), isLast: true)) else { return }
            }
            await outlet.finish()
        } catch {
            outlet.fail(error)
        }
    }

    private func write(_ data: Data, _ encoder: GzipEncoder?) async throws -> Bool {
        guard let encoder else { return await outlet.write(data) }
        return try await encoder.encode(data) { await outlet.write($0) }
    }
}

/// A file that is read from its beginning to its end, and must not change meanwhile.
struct SegmentFile {
    /// Small enough to keep memory use low, large enough to make thread hops cheap in comparison.
    private static let pieceSize = 256 * 1024

    private let url: URL
    private let length: Int64
    private let file: OpenFile
    private var offset: Int64 = 0

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - length: The length that it must have, in bytes.
    /// - Throws: ``TransferError``, with the code `fileChanged` if the length is another.
    init(_ url: URL, length: Int64) throws {
        let (file, lengthNow) = try OpenFile.reading(url)
        guard lengthNow == length else { throw TransferError(.fileChanged, file: url) }
        (self.url, self.length, self.file) = (url, length, file)
    }

    /// Reads the next piece.
    ///
    /// - Returns: The bytes; `nil` at the end.
    /// - Throws: ``TransferError``, with the code `fileChanged` if the file became shorter or longer.
    mutating func next() throws -> Data? {
        guard offset < length else { return nil }
        let piece = try file.read(at: offset, count: Int(min(Int64(Self.pieceSize), length - offset)))
        offset += Int64(piece.count)
        // Check before sending the last piece, which completes the message for the server.
        guard !piece.isEmpty, try offset < length || file.length() == length else {
            throw TransferError(.fileChanged, file: url)
        }
        return piece
    }
}
