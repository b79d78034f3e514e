#if os(Linux)
/// A compressed body and what it holds.
struct DecodingSample: Sendable, CustomStringConvertible {
    let description: String
    let codings: String
    let body: [UInt8]
    let content: [UInt8]
    /// Whether a checksum guards the content.
    var isChecked = true

    private init(_ name: String, _ codings: String, _ body: [UInt8], _ content: [UInt8], isChecked: Bool = true) {
        description = name
        self.codings = codings
        self.body = body
        self.content = content
        self.isChecked = isChecked
    }

    /// Bodies of one compressed stream, of which no part is whole.
    static let single: [DecodingSample] = [
        .init("gzip", "gzip", CompressedBodies.gzip, CompressedBodies.text),
        .init("x-gzip", "X-GZip", CompressedBodies.gzip, CompressedBodies.text),
        .init("gzip with a name", "gzip", CompressedBodies.gzipWithName, CompressedBodies.text),
        .init("gzip of nothing", "gzip", CompressedBodies.gzipEmpty, []),
        .init("deflate", "deflate", CompressedBodies.zlib, CompressedBodies.text),
        .init("deflate with a small window", "deflate", CompressedBodies.zlibSmallWindow, CompressedBodies.text),
        .init("deflate of nothing", "deflate", CompressedBodies.zlibEmpty, []),
        .init("raw deflate", "deflate", CompressedBodies.rawDeflate, CompressedBodies.text, isChecked: false),
        .init("raw deflate, stored", "deflate", CompressedBodies.rawDeflateStored, firstBytes, isChecked: false),
        .init("raw deflate, fixed codes", "deflate", CompressedBodies.rawDeflateFixed, firstBytes, isChecked: false),
        .init("raw deflate of nothing", "deflate", CompressedBodies.rawDeflateEmpty, [], isChecked: false),
        .init("br", "br", CompressedBodies.brotli, CompressedBodies.text, isChecked: false),
        .init("br, fast", "br", CompressedBodies.brotliFast, CompressedBodies.text, isChecked: false),
        .init("br of nothing", "br", CompressedBodies.brotliEmpty, [], isChecked: false),
        .init("zstd", "zstd", CompressedBodies.zstd, CompressedBodies.text),
        .init("zstd without a checksum", "zstd", CompressedBodies.zstdNoCheck, CompressedBodies.text, isChecked: false),
        .init("zstd of a single segment", "zstd", CompressedBodies.zstdSingleSegment, CompressedBodies.text),
        .init("zstd with a window of 8 MiB", "zstd", CompressedBodies.zstdWindow8MiB, CompressedBodies.text),
        .init("zstd of nothing", "zstd", CompressedBodies.zstdEmpty, []),
        .init("gzip, br", "gzip, br", CompressedBodies.gzipThenBrotli, CompressedBodies.text),
        .init("five codings", "zstd, br, gzip, deflate, gzip", CompressedBodies.allThenGzip, CompressedBodies.text),
    ]

    /// Bodies of several compressed streams, of which the first ones are whole bodies too.
    static let several: [DecodingSample] = [
        .init("members of gzip", "gzip", CompressedBodies.gzipMembers, CompressedBodies.threeParts),
        .init("frames of zstd", "zstd", CompressedBodies.zstdFrames, CompressedBodies.threeParts, isChecked: false),
        .init("zstd after a frame to skip", "zstd", CompressedBodies.zstdSkippable, CompressedBodies.text),
    ]

    static let all = single + several

    private static let firstBytes = Array(CompressedBodies.text.prefix(40))
}
#endif
