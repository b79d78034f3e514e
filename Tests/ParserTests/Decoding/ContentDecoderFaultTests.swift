#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuSockets
import TestSupport

struct ContentDecoderFaultTests {
    @Test(arguments: DecodingSample.single)
    func aBodyThatIsCutOffIsTruncated(sample: DecodingSample) {
        for count in 1..<max(sample.body.count, 2) where count < sample.body.count {
            for (piece, room) in [(Int.max, 4096), (1, 4096), (.max, 1), (7, 7)] {
                let decoding = BodyDecoding(Array(sample.body.prefix(count)), sample.codings, piece: piece, room: room)
                #expect(decoding.error == .truncated, "\(count) of \(sample.body.count) bytes")
                #expect(sample.content.starts(with: decoding.output))
            }
        }
    }

    @Test(arguments: zip(DecodingSample.several, [3, 3, 1]))
    func aLaterStreamThatIsCutOffIsTruncated(sample: DecodingSample, ends: Int) {
        for piece in [Int.max, 1] {
            let errors = (1..<sample.body.count).map { count in
                BodyDecoding(Array(sample.body.prefix(count)), sample.codings, piece: piece).error
            }
            #expect(errors.count { $0 == nil } == ends)
            #expect(errors.count { $0 == .truncated } == errors.count - ends)
        }
    }

    @Test(arguments: DecodingSample.all)
    func whatFollowsTheEndIsMalformed(sample: DecodingSample) {
        for junk in [[0x0A], [0xFF], Array("junk that is longer".utf8)] as [[UInt8]] {
            for (piece, room) in [(Int.max, 4096), (1, 4096), (.max, 1), (.max, max(sample.content.count, 1))] {
                let body = sample.body + junk
                #expect(BodyDecoding(body, sample.codings, piece: piece, room: room).error == .malformed)
            }
        }
    }

    @Test(arguments: DecodingSample.all.filter { !$0.codings.lowercased().hasSuffix("gzip") })
    func zerosFollowNothingButGzip(sample: DecodingSample) {
        #expect(BodyDecoding(sample.body + [0], sample.codings).error == .malformed)
    }

    @Test func onlyZerosFollowZeros() {
        let padded = CompressedBodies.gzip + [0, 0]
        for junk in [[0x1F], CompressedBodies.gzip, [1]] as [[UInt8]] {
            for piece in [Int.max, 1] {
                #expect(BodyDecoding(padded + junk, "gzip", piece: piece).error == .malformed)
            }
        }
        #expect(BodyDecoding([0, 0], "gzip").error == .malformed)
    }

    /// Frames that hold "abc", or nothing, and say how much it is.
    @Test(
        arguments: [
            // The number of bytes; the descriptor and the field that says so; the block.
            (3, [0x20, 3], [0x19, 0, 0, 0x61, 0x62, 0x63]),
            (3, [0x80, 0x58, 3, 0, 0, 0], [0x19, 0, 0, 0x61, 0x62, 0x63]),
            (3, [0xC0, 0x58, 3, 0, 0, 0, 0, 0, 0, 0], [0x19, 0, 0, 0x61, 0x62, 0x63]), (0, [0x20, 0], [1, 0, 0]),
            (0, [0x80, 0x58, 0, 0, 0, 0], [1, 0, 0]), (nil, [0x20, 32], [1, 0, 0]),
            (nil, [0x20, 4], [0x19, 0, 0, 1, 2, 3]), (nil, [0x60, 0, 0], [1, 0, 0]),
            (nil, [0x80, 0x58, 3, 0, 0, 0], [1, 0, 0]), (nil, [0xC0, 0x58, 0, 0, 0, 0, 0, 0, 0, 0x80], [1, 0, 0]),
        ] as [(Int?, [UInt8], [UInt8])]
    )
    func aFrameHoldsAsMuchAsItSays(length: Int?, header: [UInt8], block: [UInt8]) {
        let frame = [0x28, 0xB5, 0x2F, 0xFD] + header + block
        for body in [frame, frame + frame] {
            for (piece, room) in [(Int.max, 4096), (1, 4096), (4, 1), (7, 7)] {
                let decoding = BodyDecoding(body, "zstd", piece: piece, room: room)
                #expect(decoding.error == (length == nil ? .malformed : nil), "in pieces of \(piece)")
                if let length { #expect(decoding.output.count == length * body.count / frame.count) }
            }
        }
    }

    @Test func halfAMemberHeaderIsNoMember() {
        #expect(BodyDecoding(CompressedBodies.gzip + [0x1F, 0x8C], "gzip", piece: 1).error == .malformed)
        #expect(BodyDecoding(CompressedBodies.gzip + [0x1F], "gzip").error == .truncated)
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func plainTextIsMalformed(codings: String) {
        let body = Array("<html>\(String(repeating: "text", count: 99))".utf8)
        for piece in [Int.max, 1] { #expect(BodyDecoding(body, codings, piece: piece).error == .malformed) }
    }

    @Test func oneCodingIsNotTakenForAnother() {
        for sample in DecodingSample.single where !sample.codings.contains(",") && !sample.content.isEmpty {
            for codings in ["gzip", "deflate", "br", "zstd"] where codings != sample.codings.lowercased() {
                if codings == "gzip", sample.codings.hasPrefix("X") { continue }
                #expect(BodyDecoding(sample.body, codings).error != nil, "\(sample) as \(codings)")
            }
        }
    }

    @Test func aDamagedChecksumIsMalformed() {
        for sample in DecodingSample.single where sample.isChecked && !sample.codings.contains(",") {
            // The length of gzip, Adler-32, or the hash of zstd.
            var body = sample.body
            body[body.count - 2] ^= 1
            #expect(BodyDecoding(body, sample.codings).error == .malformed)
        }
        var body = CompressedBodies.gzip
        body[body.count - 6] ^= 1
        #expect(BodyDecoding(body, "gzip").error == .malformed)
    }

    @Test func aDictionaryIsNotThere() {
        #expect(BodyDecoding(CompressedBodies.zlibDictionary, "deflate").error == .malformed)
        // A frame that names dictionary 1.
        var body = CompressedBodies.zstdNoCheck
        body[4] |= 1
        body.insert(1, at: 6)
        #expect(BodyDecoding(body, "zstd").error == .malformed)
    }

    @Test(arguments: [Int.max, 1, 5])
    func windowsThatAreTooLargeAreRefused(piece: Int) {
        #expect(BodyDecoding(CompressedBodies.zstdWindow16MiB, "zstd", piece: piece).error == .windowTooLarge)
        #expect(BodyDecoding(CompressedBodies.brotliLargeWindow, "br", piece: piece).error == .malformed)
        // 8 MiB and an eighth of it.
        var body = CompressedBodies.zstdWindow8MiB
        body[5] += 1
        #expect(BodyDecoding(body, "zstd", piece: piece).error == .windowTooLarge)
        // A single segment of a terabyte.
        let segment: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]
        #expect(BodyDecoding(segment, "zstd", piece: piece).error == .malformed)
    }

    /// Whether a frame is right does not depend on the pieces in which it arrives.
    @Test(
        arguments: [
            // A compressed block without a byte, which libzstd accepts in pieces only.
            [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x00, 0x05, 0x00, 0x00, 0x99, 0xE9, 0xD8, 0x51],
            // The rest of this header looks like a frame that is skipped, if it comes by itself.
            [0x28, 0xB5, 0x2F, 0xFD, 0x53, 0x2A, 0x4D, 0x18, 0x00, 0x00, 0x00, 0x00],
            [0x28, 0xB5, 0x2F, 0xFD, 0x53, 0x2A, 0x4D, 0x18, 0x00, 0x00, 0x00, 0x00] + CompressedBodies.zstd,
        ] as [[UInt8]]
    )
    func piecesOfAFrameMakeNoDifference(_ body: [UInt8]) {
        let errors = (1...body.count).map { BodyDecoding(body, "zstd", piece: $0).error }
        let texts = errors.map { error in String(describing: error) }
        #expect(Set(texts).count == 1, "\(errors)")
        let outputs = (1...body.count).map { BodyDecoding(body, "zstd", piece: $0).output }
        if errors.first == .some(nil) { #expect(Set(outputs).count == 1) }
    }

    @Test(arguments: [0x22, 0x23, 0x24, 0x25, 0x26, 0x27] as [UInt8])
    func formatsBeforeTheStandardOfZstdAreMalformed(firstByte: UInt8) {
        #expect(BodyDecoding([firstByte], "zstd").error == .malformed)
        #expect(BodyDecoding(CompressedBodies.zstd + [firstByte, 0xB5, 0x2F, 0xFD], "zstd").error == .malformed)
    }

    @Test func anErrorStays() throws {
        guard var decoder = try ContentDecoder(contentEncoding: ["gzip"]) else { return }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { memory.deallocate() }
        for (byte, expected) in [(0x1F, nil), (0xFF, .malformed), (8, .malformed)] as [(UInt8, ContentDecodingError?)] {
            memory.storeBytes(of: byte, as: UInt8.self)
            var input = UnsafeRawBufferPointer(rebasing: memory.prefix(1))
            var error: ContentDecodingError?
            do { _ = try decoder.decode(&input, into: memory) } catch let failure { error = failure }
            #expect(error == expected)
        }
        let isComplete = decoder.isComplete
        #expect(!isComplete)
        #expect(throws: ContentDecodingError.malformed) { try decoder.finish() }
    }

    @Test func anInnerCodingThatGotNothingIsTruncated() {
        #expect(BodyDecoding(CompressedBodies.gzipEmpty, "br, gzip").error == .truncated)
    }
}
#endif
