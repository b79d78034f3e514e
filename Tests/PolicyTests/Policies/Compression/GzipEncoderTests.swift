import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

@Suite(.enabled(if: Gunzip.isInstalled, "there is no gzip"), .timeLimit(.generous)) struct GzipEncoderTests {
    @Test func gzipReadsWhatWasCompressedInRandomPieces() async throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var contents: [Data] = [Data(), Data([7])]
            for _ in 0..<20 {
                contents.append(.compressible(random.below(random.element(of: [10, 1000, 300_000])), &random))
            }
            let bodies = try contents.map { content in
                let encoder = try GzipEncoder()
                var body = Data()
                var start = 0
                let largest = random.element(of: [1, 7, 1000, 70_000, 1_000_000])
                while start < content.count {
                    // Slices, whose indices do not begin at 0.
                    let end = min(content.count, start + random.below(largest + 1))
                    let isLast = end == content.count && random.picks(50)
                    body += try encoder.encode(content[start..<end], isLast: isLast)
                    start = end
                }
                body += try encoder.encode(Data(), isLast: true)
                return body
            }
            #expect(try await Gunzip.contents(of: bodies) == contents)
        }
    }

    @Test func equalBytesGiveEqualOutput() async throws {
        var random = SeededRandom(seed: 5)
        let data = Data.compressible(200_000, &random)
        let one = try await GzipEncoder.compressed([data])
        let encoder = try GzipEncoder()
        #expect(try encoder.encode(data, isLast: true) == one)
    }

    @Test func nothingFollowsTheEnd() throws {
        let encoder = try GzipEncoder()
        #expect(try encoder.encode(Data("a".utf8), isLast: true).isGzip)
        #expect(try encoder.encode(Data("b".utf8), isLast: true).isEmpty)
        #expect(try encoder.encode(Data("b".utf8)).isEmpty)
    }

    @Test func anEncoderThatIsDroppedInTheMiddleLeavesNothing() throws {
        var random = SeededRandom(seed: 6)
        for _ in 0..<100 { _ = try GzipEncoder().encode(.compressible(random.below(100_000), &random)) }
    }

    @Test func compressionInMemoryGivesUpAtTheLimit() async throws {
        var random = SeededRandom(seed: 7)
        let noise = Data((0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        #expect(try await GzipEncoder.compressed([noise], below: noise.count) == nil)
        let zeros = Data(count: 300_000)
        #expect(try await GzipEncoder.compressed([zeros], below: zeros.count)?.count ?? .max < 1000)
    }

    @Test func compressionInMemoryEndsWithItsTask() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await GzipEncoder.compressed([Data(count: 100_000_000)])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func withoutTheLibraryThereIsATypedError() async {
        await expect(TransportError.Code.unsupported) { try GzipEncoder(isAvailable: false) }
    }
}
