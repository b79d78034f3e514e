/// A body whose files were checked.
package struct ResolvedBody: Sendable {
    enum Source: Sendable {
        case segments([RequestBodySegment])
        /// Segments that are compressed while they are sent.
        case compressed([RequestBodySegment])
        case stream(OneShot)
    }

    let source: Source
    /// The number of bytes that the source must have; `nil` if it is unknown until the body was sent.
    let sourceLength: Int64?
    /// The fields that follow the body; `nil` for most bodies.
    let trailers: RequestTrailers?
    /// What keeps the beginning of the body for observers; `nil` for most bodies.
    var tap: BodyTap?
    /// The number of bytes as it is announced; `nil` if it is unknown, or if trailers follow.
    package var length: Int64? { trailers == nil ? sourceLength : nil }

    init(_ source: Source, length: Int64?, trailers: RequestTrailers? = nil) {
        self.source = source
        sourceLength = length
        self.trailers = trailers
    }

    init(segments: [RequestBodySegment], trailers: RequestTrailers? = nil) {
        self.init(.segments(segments), length: segments.reduce(0) { $0 + $1.length }, trailers: trailers)
    }

    /// The bytes, if all of them are in memory.
    var data: Data? {
        guard case .segments(let segments) = source, trailers == nil else { return nil }
        var data = Data()
        for segment in segments {
            guard case .bytes(let bytes) = segment else { return nil }
            // Do not copy a single segment.
            if data.isEmpty { data = bytes } else { data.append(bytes) }
        }
        return data
    }

    /// The bytes that are to be compressed, if all of them are in memory.
    var piecesToCompress: [Data]? {
        guard case .compressed(let segments) = source else { return nil }
        var pieces: [Data] = []
        for segment in segments {
            guard case .bytes(let bytes) = segment else { return nil }
            pieces.append(bytes)
        }
        return pieces
    }

    package var isRepeatable: Bool {
        if case .stream = source { false } else { true }
    }

    /// Reads the whole body into memory.
    func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        switch source {
        case .segments(let segments):
            data = try await FileWorker().run { try Self.read(segments, upTo: limit) }
        case .compressed(let segments):
            data = try await FileWorker().run { try Self.readCompressed(segments, upTo: limit) }
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

    private static func readCompressed(_ segments: [RequestBodySegment], upTo limit: Int) throws -> Data {
        let encoder = try GzipEncoder()
        var data = Data()
        func append(_ output: Data) throws {
            guard output.count <= limit - data.count else { throw TransferError(.bodyTooLarge) }
            data += output
        }
        for segment in segments {
            switch segment {
            case .bytes(let bytes): try append(encoder.encode(bytes))
            case .file(let url, let length):
                var file = try SegmentFile(url, length: length)
                while let piece = try file.next() { try append(encoder.encode(piece)) }
            }
        }
        try append(encoder.encode(Data(), isLast: true))
        return data
    }

    private static func read(_ segments: [RequestBodySegment], upTo limit: Int) throws -> Data {
        var data = Data()
        for segment in segments {
            guard segment.length <= Int64(limit - data.count) else { throw TransferError(.bodyTooLarge) }
            switch segment {
            case .bytes(let bytes): data += bytes
            case .file(let url, let length):
                let (file, lengthNow) = try OpenFile.reading(url)
                guard lengthNow == length else { throw TransferError(.fileChanged, file: url) }
                data += try file.read(at: 0, count: Int(clamping: length))
            }
        }
        return data
    }
}
