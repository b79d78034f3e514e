import PiuPiuAsync
import PiuPiuEngine
import TestSupport

extension FuzzTarget {
    #if os(Linux)
    static let decoding = [contentCodings, contentDecoder]

    // MARK: ContentCoding

    private static let contentCodings = FuzzTarget(
        "ContentCoding",
        seeds: [
            "gzip", "GZIP, br", "x-gzip,,identity , none,deflate", "gzip, gzip, gzip, gzip, gzip, gzip", "zstd", "",
        ],
        tokens: ["gzip", ",", " ", "\t", "br", "identity", "none", "x-gzip", "zstd", "deflate"],
        limit: 200
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        let whole = Result { () throws(ContentDecodingError) in try ContentCoding.list(in: [text]) }
        let lines = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if !text.utf8.contains(where: { $0 > 127 }) {
            let split = Result { () throws(ContentDecodingError) in try ContentCoding.list(in: lines) }
            try demand(split == whole, "lines differ from a list")
        }
        guard case .success(let codings) = whole else { return }
        try demand(codings.count <= ContentCoding.maximumCount, "there are too many codings")
        let written = codings.map(\.name).joined(separator: ", ")
        try demand((try? ContentCoding.list(in: [written])) == codings, "the names are others")
        try demand(codings.count <= text.utf8.split(separator: 0x2C).count, "there are more codings than elements")
    }

    // MARK: ContentDecoder and BodyDecoding

    /// The first byte is the place of the codings in this list.
    private static let codings = [
        "gzip", "deflate", "br", "zstd", "gzip, br", "zstd, br, gzip, deflate, gzip", "gzip, gzip",
    ]

    private static let contentDecoder = FuzzTarget(
        "ContentDecoder",
        bytes: DecodingSample.all.compactMap { sample in
            codings.firstIndex(of: sample.codings).map { [UInt8($0)] + sample.body }
        },
        tokens: ["\u{1F}", "\0\0\0\0", "\u{1}", "(", "x"],
        limit: 4096
    ) { input, random in
        guard let first = input.first else { return }
        let coding = codings[Int(first) % codings.count]
        let body = Array(input.dropFirst())
        let whole = BodyDecoding(body, coding, limit: 1 << 18)
        try demand(
            [nil, .malformed, .windowTooLarge, .truncated].contains(whole.error),
            "another error than there may be"
        )
        try demand(whole.longestIdleRun <= 1, "calls do nothing")
        guard !whole.isLimited else { return }
        let pieces = BodyDecoding(body, coding, piece: 1 + random.below(9), room: 1 + random.below(40), limit: 1 << 18)
        try demand(pieces.error == whole.error, "pieces end in another way")
        try demand(pieces.error != nil || pieces.output == whole.output, "pieces give other bytes")
        let paused = try await pausing(body, coding, &random)
        try demand(paused.error == whole.error, "pauses end in another way")
        try demand(paused.error != nil || paused.output == whole.output, "pauses give other bytes")
    }

    /// Decodes as the transport does, with a reader that is not always ready.
    private static func pausing(
        _ body: [UInt8],
        _ codings: String,
        _ random: inout SeededRandom
    ) async throws -> (output: [UInt8], error: ContentDecodingError?) {
        let request = try PreparedRequest(TransportRequest(Fixture.request), userAgent: nil)
        let head = RawHead(bytes: Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\n".utf8))
        let decoding = try PiuPiuAsync.BodyDecoding(head: head, of: request)
        var output: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 + random.below(random.picks(50) ? 20 : 4096)))
            let result = piece.withUnsafeBytes { bytes in
                Result { () throws(ContentDecodingError) in
                    try decoding.decode(bytes) { decoded in
                        if random.picks(30) { return .pause }
                        output += decoded
                        return .proceed
                    }
                }
            }
            switch result {
            case .success(.proceed): rest = rest.dropFirst(piece.count)
            case .success: continue
            case .failure(let error): return (output, error)
            }
        }
        return (output, decoding.isComplete ? nil : .truncated)
    }
    #else
    static let decoding: [FuzzTarget] = []
    #endif
}
