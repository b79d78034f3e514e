/// A body whose files have been checked.
package struct ResolvedBody: Sendable {
    package enum Source: Sendable {
        /// Pieces in memory and in files, which may be compressed while they are sent.
        case segments([RequestBodySegment], isCompressed: Bool)
        case stream(OneShot)
    }

    package let source: Source
    /// The number of bytes that the source must have; `nil` if it is unknown until the body has been sent.
    let sourceLength: Int64?
    /// The fields that follow the body; `nil` for most bodies.
    package let trailers: RequestTrailers?
    /// Keeps the beginning of the body for observers; `nil` for most bodies.
    package var tap: BodyTap?
    /// The number of bytes to declare; `nil` if it is unknown, or if trailers follow.
    package var length: Int64? { trailers == nil ? sourceLength : nil }

    init(_ source: Source, length: Int64?, trailers: RequestTrailers? = nil) {
        self.source = source
        sourceLength = length
        self.trailers = trailers
    }

    init(segments: [RequestBodySegment], trailers: RequestTrailers? = nil) {
        let length = segments.reduce(0) { $0 + $1.length }
        self.init(.segments(segments, isCompressed: false), length: length, trailers: trailers)
    }

    /// The bytes, if all of them are in memory and can be sent unchanged.
    package var data: Data? {
        guard trailers == nil, let blocks = blocks(isCompressed: false) else { return nil }
        // Do not copy a single block.
        guard blocks.count != 1 else { return blocks[0] }
        var data = Data(capacity: blocks.reduce(0) { $0 + $1.count })
        // Append block by block: a sequence of joined blocks would be traversed byte by byte.
        for block in blocks { data.append(block) }
        return data
    }

    /// Returns the bytes of all segments; `nil` if some are in files, if the compression differs, or if the body is a stream.
    func blocks(isCompressed wanted: Bool) -> [Data]? {
        guard case .segments(let segments, wanted) = source else { return nil }
        let blocks = segments.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
        return blocks.count == segments.count ? blocks : nil
    }

    package var isRepeatable: Bool {
        if case .stream = source { false } else { true }
    }

    /// Reads the whole body into memory.
    package func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        switch source {
        case .segments(let segments, let isCompressed):
            guard sourceLength ?? 0 <= Int64(limit) else { throw TransferError(.bodyTooLarge) }
            data = try await FileWorker().run { try Self.read(segments, isCompressed, upTo: limit) }
        case .stream(let stream):
            guard let iteration = stream.take() else { throw TransferError(.bodyNotRepeatable) }
            try await iteration { bytes in
                guard bytes.count <= limit - data.count else { throw TransferError(.bodyTooLarge) }
                data += bytes
                return true
            }
        }
        guard Int64(data.count) == sourceLength ?? Int64(data.count) else { throw TransferError(.lengthMismatch) }
        tap?.take(all: data)
        return data
    }

    private static func read(_ segments: [RequestBodySegment], _ isCompressed: Bool, upTo limit: Int) throws -> Data {
        let encoder = isCompressed ? try GzipEncoder() : nil
        var data = Data()
        func append(_ piece: Data) throws {
            guard piece.count <= limit - data.count else { throw TransferError(.bodyTooLarge) }
            data += piece
        }
        var pieces = SegmentPieces(segments)
        while let piece = try pieces.next() { try append(encoder?.encode(piece) ?? piece) }
        if let encoder { try append(encoder.encode(Data(), isLast: true)) }
        return data
    }
}
