#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuSockets

struct ContentDecoderTests {
    @Test(arguments: DecodingSample.all, [.max, 1, 2, 3, 50])
    func aBodyIsDecodedFromPiecesOfAnySize(sample: DecodingSample, piece: Int) {
        for room in [1, 7, 4096] {
            let decoding = BodyDecoding(sample.body, sample.codings, piece: piece, room: room)
            #expect(decoding.error == nil)
            #expect(decoding.output == sample.content)
            #expect(decoding.longestIdleRun <= 1)
        }
    }

    @Test func noCodingNeedsNoDecoder() throws {
        for values in [[], [""], ["identity"], ["none", ","]] as [[String]] {
            let isNeeded = try ContentDecoder(contentEncoding: values) != nil
            #expect(!isNeeded)
        }
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, br"])
    func anEmptyBodyIsComplete(codings: String) {
        #expect(BodyDecoding([], codings).error == nil)
    }

    @Test func aCallWithoutBytesIsNoBeginning() throws {
        guard var decoder = try ContentDecoder(contentEncoding: ["gzip"]) else { return }
        #expect(try decode([], by: &decoder, room: 8) == [])
        let isCompleteBefore = decoder.isComplete
        #expect(try decode([0x1F], by: &decoder, room: 8) == [])
        let isCompleteAfter = decoder.isComplete
        #expect(isCompleteBefore && !isCompleteAfter)
    }

    @Test(arguments: DecodingSample.single)
    func aSlowReaderGetsTheRestWithoutNewInput(sample: DecodingSample) throws {
        guard var decoder = try ContentDecoder(contentEncoding: [sample.codings]) else { return }
        var output: [UInt8] = []
        var rest = sample.body[...]
        while !rest.isEmpty {
            // Without room nothing moves.
            let left = rest.count
            #expect(try decode(&rest, by: &decoder, room: 0) == [])
            #expect(rest.count == left)
            output += try decode(&rest, by: &decoder, room: 1)
        }
        while decoder.mayHaveMore { output += try decode([], by: &decoder, room: 3) }
        #expect(output == sample.content)
        try decoder.finish()
    }

    @Test func zerosMayFollowTheLastMemberOfGzip() {
        for count in [1, 2, 511, 5000] {
            let body = CompressedBodies.gzipMembers + Array(repeating: 0, count: count)
            for piece in [Int.max, 1] {
                let decoding = BodyDecoding(body, "gzip", piece: piece)
                #expect(decoding.error == nil)
                #expect(decoding.output == CompressedBodies.threeParts)
            }
        }
    }

    @Test(arguments: DecodingSample.several)
    func whatHoldsSeveralStreamsMayHoldMore(sample: DecodingSample) {
        let decoding = BodyDecoding(sample.body + sample.body, sample.codings, room: 5)
        #expect(decoding.error == nil)
        #expect(decoding.output == sample.content + sample.content)
    }

    @Test func framesToSkipAreABody() {
        let frame: [UInt8] = [0x5F, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        for piece in [Int.max, 1] {
            #expect(BodyDecoding(frame + frame, "zstd", piece: piece).error == nil)
            let decoding = BodyDecoding(frame + CompressedBodies.zstd + frame, "zstd", piece: piece)
            #expect(decoding.error == nil)
            #expect(decoding.output == CompressedBodies.text)
        }
    }

    private func decode(_ bytes: [UInt8], by decoder: inout ContentDecoder, room: Int) throws -> [UInt8] {
        var rest = bytes[...]
        return try decode(&rest, by: &decoder, room: room)
    }

    private func decode(
        _ rest: inout ArraySlice<UInt8>,
        by decoder: inout ContentDecoder,
        room: Int
    ) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: room)
        var left = 0
        let count = try rest.withUnsafeBytes { bytes in
            var input = bytes
            defer { left = input.count }
            return try output.withUnsafeMutableBytes { try decoder.decode(&input, into: $0) }
        }
        rest = rest.suffix(left)
        return Array(output.prefix(count))
    }
}
#endif
