/// Reads the files of a body on its own queue, so that a slow disk blocks nothing else.
actor SegmentReader {
    private let queue = FileQueue()
    private let segments: [RequestBodySegment]
    private let isCompressed: Bool
    private let outlet: OutboundBody

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Creates a reader that passes the segments to an outlet, compressed with gzip if wanted.
    init(_ segments: [RequestBodySegment], isCompressed: Bool, outlet: OutboundBody) {
        self.segments = segments
        self.isCompressed = isCompressed
        self.outlet = outlet
    }

    /// Passes all bytes to the outlet, followed by the end or an error.
    func run() async {
        do {
            let encoder = isCompressed ? try GzipEncoder() : nil
            var pieces = SegmentPieces(segments)
            while let piece = try pieces.next() {
                guard try await write(piece, encoder) else { return }
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
