#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import Testing

@testable import PiuPiuSockets

@Suite(.serialized) struct ContentDecoderMemoryTests {
    private static let size = 50_000_000

    /// The outcome of a body of which only the number of its bytes is kept.
    private struct Count {
        var bytes = 0
        var calls = 0
        var idleCalls = 0
        var areAllZero = true
    }

    @Test(arguments: [
        ("gzip, gzip, gzip", CompressedBombs.gzipBomb), ("deflate, gzip, gzip", CompressedBombs.deflateBomb),
        ("br", CompressedBombs.brotliBomb), ("zstd, gzip", CompressedBombs.zstdBomb),
    ])
    func aBombIsDecodedInFlatMemory(codings: String, body: [UInt8]) throws {
        let count = try count(body, codings)
        #expect(count.bytes == Self.size)
        #expect(count.areAllZero)
    }

    @Test func aCallDoesNotWorkForEverWhereNothingComesOut() throws {
        // 40 MB of members of gzip that are empty.
        let count = try count(CompressedBombs.gzipOfNothing, "gzip, gzip, gzip, gzip")
        #expect(count.bytes == 0)
        #expect(count.idleCalls > 100)
        #expect(count.calls < 1000)
    }

    private func count(_ body: [UInt8], _ codings: String) throws -> Count {
        guard var decoder = try ContentDecoder(contentEncoding: [codings]) else { return Count() }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { memory.deallocate() }
        let zeros = [UInt8](repeating: 0, count: memory.count)
        var result = Count()
        try body.withUnsafeBytes { body throws in
            var input = body
            repeat {
                let count = try decoder.decode(&input, into: memory)
                result.bytes += count
                result.calls += 1
                if count == 0 { result.idleCalls += 1 }
                if let start = memory.baseAddress, memcmp(start, zeros, count) != 0 { result.areAllZero = false }
            } while !input.isEmpty || decoder.mayHaveMore
        }
        try decoder.finish()
        return result
    }
}
#endif
